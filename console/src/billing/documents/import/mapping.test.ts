import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bills } from '../../../bills/kind.ts'
import { readCsv, type Table, writeCsv } from './csv.ts'
import { type Choices, csvOf, mapRows, namesIn } from './mapping.ts'
import { guessTargets, isExport, targetsOf } from './targets.ts'

const targets = targetsOf(bills)

const known = {
  currencies: [
    { id: 'usd', iso_4217: 'USD', minor_units: 2 },
    { id: 'jpy', iso_4217: 'JPY', minor_units: 0 },
  ],
  names: { 'carrier name': new Map([['cascade carriers', 'c-1']]), 'pay term name': new Map([['net 30', 't-1']]) } as const,
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
    assert.deepEqual(guessTargets(['Invoice No.', 'Amount', 'carrier', 'Total', 'Colour', 'due_date', 'remit_to_city', 'TERMS'], targets), [
      'reference_number',
      'sub_total_amount',
      'carrier',
      null,
      null,
      'due_date',
      'remit_to_city',
      'pay_term',
    ])
    assert.deepEqual([isExport(['full_id', 'org_id', 'revision', 'number']), isExport(['Amount'])], [true, false])
  })

  test('is sent with amounts in minor units and ids for names; a row that cannot be read says why', () => {
    const table = tableOf('ref,amount,currency,carrier,terms\nA,"1,850.10",USD,Cascade Carriers,net 30\nB,1850,jpy,,\nC,1.005,usd,,\nD,5,xyz,,\nE,5,,Nobody,\n')
    const choices: Choices = { targets: ['reference_number', 'sub_total_amount', 'currency_id', 'carrier', 'pay_term'], currency: null, amounts: 'written' }
    assert.deepEqual(namesIn(table, choices, 'carrier name', targets), ['Cascade Carriers', 'Nobody'])
    const { columns, mapped } = mapRows(table, choices, known, targets)
    const good = mapped.filter((row) => 'cells' in row)
    assert.equal(
      csvOf(columns, good),
      'reference_number,sub_total_amount,currency_id,partner_carrier_id,pay_term_id\r\nA,185010,usd,c-1,t-1\r\nB,1850,jpy,,\r\n',
    )
    const problems = mapped.flatMap((row) => ('problem' in row ? [row.problem] : []))
    assert.equal(problems.length, 3)
    assert.match(problems[0] ?? '', /"1\.005" cannot be read/)
    assert.match(problems[2] ?? '', /no currency.*No carrier is called "Nobody"/)
  })

  test('gets the chosen currency where it names none, and leaves columns out that go nowhere', () => {
    const table = tableOf('ref,amount,colour\nA,7.50,red\n')
    const choices: Choices = { targets: ['reference_number', 'sub_total_amount', null], currency: 'usd', amounts: 'written' }
    const { columns, mapped } = mapRows(table, choices, known, targets)
    assert.deepEqual(
      [columns, mapped.map((row) => 'cells' in row && row.cells)],
      [['reference_number', 'sub_total_amount', 'currency_id'], [['A', '750', 'usd']]],
    )
    assert.deepEqual(
      mapRows(table, { ...choices, amounts: 'minor units' }, known, targets).mapped.map((row) => 'cells' in row && row.cells[1]),
      ['7.50'],
    )
  })
})
