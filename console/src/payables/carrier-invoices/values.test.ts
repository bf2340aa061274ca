import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentOf, emptyLine, problemsIn, versionOf } from './values.ts'

const known = { types: [{ id: 'type-1', name: 'Line haul' }], home: 'usd', digits: 2 }
const blank = versionOf(null, known).values
const line = (typed: object) => ({ ...emptyLine(), ...typed })

test('lines are read with their amounts, of which one follows from quantity and price; empty ones are left out', () => {
  const lines = [
    line({ type: ' Line haul ', amount: '1000.50' }),
    line({}),
    line({ type: 'Fuel', quantity: '400.5', unit: 'mile', unit_price: '0.48' }),
  ]
  const { lines: sent = [], total_amount } = contentOf({ ...blank, invoice_number: ' A-1 ', lines }, 2)
  assert.deepEqual(
    sent.map(({ type, quantity, unit, unit_price, amount }) => [type, quantity, unit, unit_price, amount]),
    [
      ['Line haul', null, null, null, 100050],
      ['Fuel', 400.5, 'mile', 48, 19224],
    ],
  )
  assert.equal(total_amount, 119274)
})

test('a total that the carrier wrote is sent as it is, whatever the lines come to', () => {
  assert.equal(contentOf({ ...blank, lines: [line({ amount: '10' })], total_amount: '12' }, 2).total_amount, 1200)
})

test('what is missing or cannot be read is named by its field', () => {
  const typed = {
    ...blank,
    currency_id: null,
    lines: [line({ type: 'Fuel' }), line({ amount: '1,2,3', quantity: 'x' })],
  }
  assert.deepEqual(Object.keys(problemsIn(typed, 2)).sort(), [
    'currency_id',
    'invoice_number',
    'lines.0.amount',
    'lines.1.amount',
    'lines.1.quantity',
  ])
  assert.deepEqual(Object.keys(problemsIn({ ...blank, invoice_number: 'A' }, 2)), ['total_amount'])
})

test('an invoice that is shown and sent back is the same, its types by their names', () => {
  const lines = [
    {
      type: 'type-1',
      description: null,
      quantity: null,
      unit: null,
      unit_price: null,
      amount: 100000,
      manifest_id: null,
    },
    {
      type: 'Tarp',
      description: 'Tarp fee',
      quantity: 2,
      unit: 'each' as const,
      unit_price: 2500,
      amount: 5000,
      manifest_id: null,
    },
  ]
  const invoice = {
    revision: 3,
    partner_carrier_id: null,
    invoice_number: 'A',
    invoice_date: null,
    currency_id: 'usd',
    reference_number: null,
    lines,
    total_amount: 105000,
    notes: null,
    missing_fields: [],
  }
  const { revision, values } = versionOf(invoice as never, known)
  assert.deepEqual([revision, values.total_amount], [3, ''])
  const { lines: sent = [], total_amount } = contentOf(values, 2)
  assert.deepEqual([sent, total_amount], [[{ ...lines[0], type: 'Line haul' }, lines[1]], 105000])
})

test('what a mail did not say is empty in the form, and asked for', () => {
  const arrived = {
    revision: 1,
    invoice_number: 'Our invoice',
    currency_id: 'usd',
    lines: [],
    total_amount: 0,
    missing_fields: ['invoice_number', 'total_amount'],
  }
  const { values } = versionOf(arrived as never, known)
  assert.deepEqual([values.invoice_number, values.total_amount, values.lines.length], ['', '', 1])
  assert.deepEqual(Object.keys(problemsIn(values, 2)), ['invoice_number', 'total_amount'])
})
