import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { escapeFormula, writeCsv } from '../../../app/values/spreadsheet.ts'
import { bills } from '../../bills/kind.ts'
import { readCsv, type Table } from './csv.ts'
import { failedRows } from './failed-rows.ts'
import { byName, type Choices, csvOf, inWordsOfFile, mapRows, namesIn, ordersIn } from './mapping.ts'
import { guessTargets, isExport, targetsOf } from './targets.ts'

const targets = targetsOf(bills)

const known = {
  currencies: [
    { id: 'usd', iso_4217: 'USD', minor_units: 2 },
    { id: 'jpy', iso_4217: 'JPY', minor_units: 0 },
  ],
  names: {
    'carrier name': new Map([['cascade carriers', 'c-1']]),
    'pay term name': new Map([['net 30', 't-1']]),
  } as const,
}

function tableOf(text: string): Table {
  const table = readCsv(text)
  assert.ok('rows' in table)
  return table
}

describe('a CSV file with bills', () => {
  test('is read as spreadsheets write it: quotes, line breaks in cells, semicolons, a byte order mark, empty lines', () => {
    const { header, rows } = tableOf('\uFEFFRef;Notes\r\nA;"two\nlines; ""quoted"""\r\n\r\nB;')
    assert.deepEqual(header, ['Ref', 'Notes'])
    assert.deepEqual(rows, [
      { line: 2, cells: ['A', 'two\nlines; "quoted"'] },
      { line: 5, cells: ['B', ''] },
    ])
    assert.equal(writeCsv([['a,b', 'c"d', 'e']]), '"a,b","c""d",e\r\n')
    for (const text of ['', '\n\n', 'Ref\n', 'Ref\n"never closed']) assert.ok('problem' in readCsv(text), text)
  })

  test('goes to the fields that its columns are called after, each once', () => {
    assert.deepEqual(
      guessTargets(
        ['Invoice No.', 'Amount', 'carrier', 'Total', 'Colour', 'due_date', 'remit_to_city', 'TERMS'],
        targets,
      ),
      ['reference_number', 'sub_total_amount', 'carrier', null, null, 'due_date', 'remit_to_city', 'pay_term'],
    )
    assert.deepEqual([isExport(['full_id', 'org_id', 'revision', 'number']), isExport(['Amount'])], [true, false])
  })

  test('is sent with amounts in minor units and ids for names; a row that cannot be read says why', () => {
    const table = tableOf(
      'ref,amount,currency,carrier,terms\nA,"1,850.10",USD,Cascade Carriers,net 30\nB,1850,jpy,,\nC,1.005,usd,,\nD,5,xyz,,\nE,5,,Nobody,\n',
    )
    const choices: Choices = {
      targets: ['reference_number', 'sub_total_amount', 'currency_id', 'carrier', 'pay_term'],
      orders: [],
      currency: null,
      amounts: 'written',
    }
    assert.deepEqual(namesIn(table, choices, 'carrier name', targets), ['Cascade Carriers', 'Nobody'])
    const { columns, mapped } = mapRows(table, choices, known, targets)
    const good = mapped.filter(({ faults }) => faults.length === 0)
    assert.equal(
      csvOf(columns, good),
      'reference_number,sub_total_amount,currency_id,partner_carrier_id,pay_term_id\r\nA,185010,usd,c-1,t-1\r\nB,1850,jpy,,\r\n',
    )
    const problems = mapped.flatMap(({ faults }) =>
      faults.length > 0 ? [faults.map(({ message }) => message).join(' ')] : [],
    )
    assert.equal(problems.length, 3)
    assert.match(problems[0] ?? '', /"1\.005" cannot be read/)
    assert.match(problems[2] ?? '', /no currency.*No carrier is called "Nobody"/)
  })

  test('is not imported for one of several that are called so', () => {
    const table = tableOf('Number,Vendor\nA,Twin Haulage\nB,Cascade Carriers\n')
    const choices = {
      targets: guessTargets(table.header, targets),
      orders: [],
      currency: 'usd',
      amounts: 'written' as const,
    }
    const twins = ['t-1', 't-2', 't-3'].map((id) => ({ id, name: 'Twin Haulage' }))
    const names = { 'carrier name': byName([...twins, { id: 'c-1', name: 'Cascade Carriers' }]) }
    const { mapped } = mapRows(table, choices, { ...known, names }, targets)
    assert.deepEqual(
      mapped.map(({ faults }) => faults.map(({ message }) => message)),
      [
        [
          'Vendor: Several carriers are called "Twin Haulage". Name the one that is meant by its id, in a column of its own.',
        ],
        [],
      ],
    )
  })

  test('gets the chosen currency where it names none, and leaves columns out that go nowhere', () => {
    const table = tableOf('ref,amount,colour\nA,7.50,red\n')
    const choices: Choices = {
      targets: ['reference_number', 'sub_total_amount', null],
      orders: [],
      currency: 'usd',
      amounts: 'written',
    }
    const { columns, mapped } = mapRows(table, choices, known, targets)
    assert.deepEqual(
      [columns, mapped.map(({ cells }) => cells)],
      [['reference_number', 'sub_total_amount', 'currency_id'], [['A', '750', 'usd']]],
    )
    assert.deepEqual(
      mapRows(table, { ...choices, amounts: 'minor units' }, known, targets).mapped.map(({ cells }) => cells[1]),
      ['7.50'],
    )
  })

  test('has dates in the order that its column has, and is asked where both are possible', () => {
    const table = tableOf('ref,due,date\nA,31/12/2026,03/04/2026\nB,01/02/2027,2026-04-03\nC,soon,12-Dec-2026\n')
    const chosen = ['reference_number', 'due_date', 'bill_date']
    assert.deepEqual(ordersIn(table, chosen, targets), [null, 'day first', 'either'])
    assert.deepEqual(ordersIn(table, ['reference_number', 'notes', null], targets), [null, null, null])
    const { mapped } = mapRows(
      table,
      { targets: chosen, orders: [null, 'day first', 'month first'], currency: null, amounts: 'written' },
      known,
      targets,
    )
    assert.deepEqual(
      mapped.map(({ cells }) => cells.slice(1)),
      [
        ['2026-12-31', '2026-03-04'],
        ['2027-02-01', '2026-04-03'],
        ['', '2026-12-12'],
      ],
    )
    assert.deepEqual(mapped[2]?.faults, [
      { column: 'due_date', message: 'due: "soon" is no date. Write it like 2026-12-31.' },
    ])
  })

  test('is spoken of by the names of its columns, and not by those of the API', () => {
    const table = tableOf('Ref,Net\nA,1\n')
    const choices: Choices = {
      targets: ['reference_number', 'sub_total_amount'],
      orders: [],
      currency: null,
      amounts: 'written',
    }
    const said = (message: string, column: string | null) => inWordsOfFile(message, column, table, choices, targets)
    assert.equal(
      said('"sub_total_amount" must be at most 5, not "7".', 'sub_total_amount'),
      '"Net" must be at most 5, not "7".',
    )
    assert.equal(said('There is no such carrier.', 'partner_carrier_id'), 'Carrier, by name: There is no such carrier.')
    assert.equal(said('Nothing of a column.', null), 'Nothing of a column.')
  })

  test('gives back the rows that were not imported, with everything that is wrong, and nothing that a spreadsheet would calculate', () => {
    const table = tableOf('Ref,Net,Why it was not imported\n=1+1,-5.00,old\nB,a;=2,\n')
    const failed = table.rows.map((row) => ({
      row,
      status: 'failed',
      problems: ['No carrier.', '-1 is too little.'],
      alike: null,
    }))
    assert.equal(
      failedRows(table, failed),
      '\uFEFFRef,Net,Why it was not imported\r\n\'=1+1,-5.00,No carrier. -1 is too little.\r\nB,"a;\'=2",No carrier. -1 is too little.\r\n',
    )
    assert.equal(escapeFormula('Acme;\t=1+1'), "Acme;'\t=1+1")
    assert.deepEqual(
      [escapeFormula('@x'), escapeFormula('+12'), escapeFormula('-'), escapeFormula('plain')],
      ["'@x", '+12', "'-", 'plain'],
    )
  })
})
