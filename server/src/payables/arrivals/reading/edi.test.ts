import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { X12Parser } from 'node-x12'
import { anyText } from '../../../../test/any-text.ts'
import { runs } from '../../../../test/depth.ts'
import { bare, credit, interchange, taxed, truckload } from '../../../../test/interchanges.ts'
import { Refusal } from '../../../platform/core/refusal.ts'
import { readX12 } from '../../../platform/x12/read.ts'
import { isTax, nameOfCharge, typeOfCharge } from './charge-types.ts'
import { readFreightInvoices } from './edi.ts'

const files = [
  interchange([truckload()]),
  interchange([truckload(), bare(), credit()], { separator: '|', terminator: "'" }),
  interchange([bare()], { terminator: '\n' }),
  interchange([bare()], { terminator: '~\r\n' }),
  `${interchange([truckload()])}\n${interchange([bare()], { sender: 'HPLT', control: '000000001', separator: '^' })}`,
  interchange([bare()], { separator: '\x1d', terminator: '\x1c' }),
]

test('a freight invoice is read with its number, date, total, carrier, references, charges and their measures', () => {
  const [invoice] = readFreightInvoices(interchange([truckload()]))
  assert.ok(invoice)
  const { lines, references, noted, start: _, ...head } = invoice
  assert.deepEqual(noted, [])
  assert.deepEqual(head, {
    ...{
      number: 'INV-20417',
      date: '2026-11-15',
      total: 174950,
      scac: 'CSCD',
      currency: 'USD',
      loadNumber: 'TRIP-5521',
      correction: null,
    },
    source_key: 'x12:02:CSCD:261115:000000123:7:0001',
  })
  assert.deepEqual(
    references.map(({ qualifier, value }) => `${qualifier} ${value}`),
    ['BM 88123001', 'PO PO-7781', 'CN PRO554433'],
  )
  assert.deepEqual(
    lines.map(({ code, description, charge, rate, rateQualifier, quantity }) => [
      code,
      description,
      charge,
      rate,
      rateQualifier,
      quantity,
    ]),
    [
      [null, 'Frozen foods', 108000, '2.5', 'PM', 432],
      ['405', 'Fuel surcharge', 28000, null, null, null],
      ['DTL', 'Detention at shipper', 30000, '75', 'PH', null],
      ['SOC', null, 8950, null, null, null],
    ],
  )
})

test('a charge is named by its code and not by the goods, and some codes are taxes', () => {
  const [invoice] = readFreightInvoices(interchange([taxed()]))
  assert.deepEqual(
    invoice?.lines.map((line) => [line.code, nameOfCharge(line), isTax(line.code)]),
    [
      ['400', 'Line haul', false],
      ['ENS', 'Energy surcharge', false],
      ['GST', 'GST', true],
      ['QST', 'Quebec sales tax', true],
    ],
  )
  const types = ['Fuel surcharge', 'Tax'].map((name) => ({ name, external_id: null }))
  assert.deepEqual(
    ['ENS', 'SST', 'GST', 'XXX', null].map((code) => [
      nameOfCharge({ code, description: null }),
      typeOfCharge({ code, description: null }, types),
    ]),
    [
      ['Energy surcharge', 'Fuel surcharge'],
      ['Sales tax', 'Tax'],
      ['GST', null],
      ['Charge XXX', null],
      [null, null],
    ],
  )
})

test('segments may be indented, whatever ends them', () => {
  for (const terminator of ['~\n', '~\r\n\t  ', '\n', '~ ']) {
    const text = interchange([truckload(), taxed()], { terminator: terminator.trim() === '' ? '\n' : terminator })
    const indented = text.replace(/\n(?=(?:ST|SE|B3|C3|LX|L1|N9|GS|GE|IEA))/g, '\n \t  ')
    assert.deepEqual(
      readFreightInvoices(`  ${indented}\n   `).map(({ number, lines }) => [number, lines.length]),
      [
        ['INV-20417', 4],
        ['CA-771', 4],
      ],
    )
  }
  assert.equal(readX12(interchange([bare()]).replace('~\nGS', `~\n${' '.repeat(300_000)}GS`)).length, 1)
})

test('any separators, line breaks between segments, several transactions and several interchanges are read', () => {
  assert.deepEqual(
    files.map((file) =>
      readFreightInvoices(file).map(({ number, total, date, loadNumber }) =>
        [number, total, date, loadNumber].join(' '),
      ),
    ),
    [
      ['INV-20417 174950 2026-11-15 TRIP-5521'],
      ['INV-20417 174950 2026-11-15 TRIP-5521', '9931 45000 2026-11-14 TRIP-5530', 'CR-17 -8000 2026-11-16 TRIP-5521'],
      ['9931 45000 2026-11-14 TRIP-5530'],
      ['9931 45000 2026-11-14 TRIP-5530'],
      ['INV-20417 174950 2026-11-15 TRIP-5521', '9931 45000 2026-11-14 TRIP-5530'],
      ['9931 45000 2026-11-14 TRIP-5530'],
    ],
  )
})

test('another reader of X12 finds the same segments and elements', () => {
  for (const file of [files[0], files[1], files[3]] as string[]) {
    const theirs = new X12Parser(true).parse(file)
    assert.ok('functionalGroups' in theirs)
    const ours = readX12(file)
    assert.deepEqual(
      ours.flatMap(({ groups }) =>
        groups.map(({ transactions }) =>
          transactions.map(({ segments }) => segments.map(({ tag, elements }) => [tag, ...elements])),
        ),
      ),
      theirs.functionalGroups.map(({ transactions }) =>
        transactions.map(({ segments }) =>
          segments.map(({ tag, elements }) => [tag, ...elements.map(({ value }) => value)]),
        ),
      ),
    )
  }
})

test('what is malformed is refused with its segment and element', () => {
  const good = interchange([truckload()])
  const cases: [string, RegExp][] = [
    ['', /^Segment 1 \(ISA\): an interchange begins with ISA/],
    ['hello', /^Segment 1 \(ISA\)/],
    ['ISA*00*', /^Segment 1 \(ISA\), element ISA02: it must have 10 characters/],
    [
      good.replace('CSCD           *ZZ', 'CSCD*ZZ'),
      /^Segment 1 \(ISA\), element ISA06: it must have 15 characters, and it has 4/,
    ],
    [good.replace('000000123', '00000012X'), /^Segment 1 \(ISA\), element ISA13: the control number must be 9 digits/],
    [
      good.replace('SE*26*0001', 'SE*25*0001'),
      /^Segment 28 \(SE\), element SE01: it says that there are "25" segments, ST and SE included, and there are 26/,
    ],
    [
      good.replace('SE*26*0001', 'SE*26*0002'),
      /^Segment 28 \(SE\), element SE02: the control number is "0002", and at the beginning it is "0001"/,
    ],
    [good.replace('GE*1*7', 'GE*2*7'), /^Segment 29 \(GE\), element GE01/],
    [good.replace('IEA*1*000000123', 'IEA*1*000000124'), /^Segment 30 \(IEA\), element IEA02/],
    [
      good.slice(0, good.indexOf('\nIEA') + 1),
      /^Segment 30 \(IEA\): it is missing: the interchange that begins in segment 1 has no end/,
    ],
    [good.slice(0, good.indexOf('\nGE*') + 1), /^Segment 29 \(GE\): it is missing/],
    [good.slice(0, good.indexOf('\nSE*26') + 1), /^Segment 28 \(SE\): it is missing/],
    [good.slice(0, good.indexOf('\nSE*26') + 5), /^Segment 28 \(SE\): the file ends in the middle of it/],
    [good.replace('C3*USD~\n', 'C3*USD~\n~\n'), /^Segment 6 \(empty\): it does not begin with the name of a segment/],
    [good.replace('C3*USD', 'C3*US1'), /^Segment 5 \(C3\), element C301: "US1" is not the code/],
    [
      good.replace('*174950**20261112', '*17x950**20261112'),
      /^Segment 4 \(B3\), element B307: "17x950" is not an amount/,
    ],
    [good.replace('*174950**20261112', '***20261112'), /^Segment 4 \(B3\), element B307: the amount is missing/],
    [good.replace('*20261115*174950', '*20261315*174950'), /^Segment 4 \(B3\), element B306: "20261315" is not a day/],
    [good.replace('B3*B*INV-20417', 'B3*B*'), /^Segment 4 \(B3\), element B302: the number of the invoice is missing/],
    [good.replace('B3*B', 'B4*B'), /^Segment 3 \(ST\): the transaction has no B3/],
    [good.replace('L1*1*2.5', 'L1*1*2,5'), /^Segment 20 \(L1\), element L102: "2,5" is not a number/],
    [good.replace('ST*210', 'ST*214'), /^Segment 3 \(ST\), element ST01: it is a transaction "214", and only 210/],
    [good.replace('Frozen', 'Fro\x01zen'), /^Segment 18 \(L5\), element L502: it contains a character that is no text/],
    [interchange([]), /the file holds no transaction 210/],
    [
      good
        .replace('SE*26*0001~\n', 'SE*26*0001~\nST*210*0001~\nB3**1****20261115*1~\nSE*3*0001~\n')
        .replace('GE*1', 'GE*2'),
      /another transaction of the same/,
    ],
  ]
  for (const [text, message] of cases)
    assert.throws(
      () => readFreightInvoices(text),
      (error: Error) => error instanceof Refusal && error.code === 'bad_edi' && message.test(error.message),
      `${message} of ${JSON.stringify(text.slice(0, 120))}`,
    )
})

/** A place of a file, and what is put there instead of so many characters. */
const mutation = fc.record({
  file: fc.constantFrom(...files),
  changes: fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.integer({ min: 0, max: 40 }),
      text: fc.oneof(
        anyText({ maxLength: 8 }),
        fc.constantFrom('~', '*', '\n', 'ISA', 'SE*1*1~', 'LX*1~', 'L1*1***9~', '\0', '\ud800'),
      ),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

function mutated({
  file,
  changes,
}: {
  file: string
  changes: readonly { at: number; length: number; text: string }[]
}): string {
  return changes.reduce((text, { at, length, text: put }) => {
    const place = Math.floor(at * text.length)
    return text.slice(0, place) + put + text.slice(place + length)
  }, file)
}

test('whatever is done to a file, it is read or refused in words', () => {
  fc.assert(
    fc.property(mutation, (change) => {
      try {
        for (const { number, total } of readFreightInvoices(mutated(change)))
          assert.ok(number !== '' && Number.isSafeInteger(total))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        assert.match(error.message, /^(?:Segment \d+ \(|The file has )/)
      }
    }),
    { numRuns: runs(5_000) },
  )
})
