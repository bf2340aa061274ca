import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMailContent } from './mail-content.ts'

const units = new Map([
  ['usd', 2],
  ['cad', 2],
  ['eur', 2],
  ['jpy', 0],
  ['kwd', 3],
  ['all', 2],
])

const read = (subject: string, text = '', currency: string | null = 'usd') => {
  const { number, reference, date, total } = readMailContent(subject, text, { units, currency })
  return [number, reference, date, total && `${total.amount} ${total.currency}`]
}

test('what stands next to its name is taken', () => {
  const body =
    'Please find our invoice attached.\nInvoice date: 2026-11-15\nLoad number: TRIP-5521\nSubtotal: 1,200.00\nTotal due: USD 1,280.00\n'
  assert.deepEqual(read('Invoice #20417 from Cascade', body), ['20417', 'TRIP-5521', '2026-11-15', '128000 usd'])
  assert.deepEqual(read('INV-20417', 'for trip-5521, amount due 1.280,00 EUR'), [
    'INV-20417',
    'TRIP-5521',
    null,
    '128000 eur',
  ])
  assert.deepEqual(read('Invoice no. CC/77-1 load 88123', 'Invoice date: November 5, 2026. Total: $45.00'), [
    'CC/77-1',
    '88123',
    '2026-11-05',
    '4500 usd',
  ])
  assert.deepEqual(read('Inv 9931', 'Balance due: JPY 12,800'), ['9931', null, null, '12800 jpy'])
  assert.deepEqual(read('Invoice 9931 (MAN-12)', 'Total 1.280 KWD'), ['9931', 'MAN-12', null, '1280 kwd'])
})

test('where there is a doubt nothing is taken', () => {
  assert.deepEqual(read('Your invoice'), [null, null, null, null])
  assert.deepEqual(read('Invoice 20417', 'Invoice 20418 follows'), [null, null, null, null])
  assert.deepEqual(read('Invoices 100 and 101 attached'), [null, null, null, null])
  assert.deepEqual(read('Invoice 11/15/2026'), [null, null, null, null])
  assert.deepEqual(read('Invoice $1,280.00'), [null, null, null, null])
  assert.deepEqual(read('Invoice 1280.00'), [null, null, null, null])
  assert.deepEqual(read('x', 'Total: $10.00\nTotal due: $12.00'), [null, null, null, null])
  assert.deepEqual(read('x', 'Total: $1,280'), [null, null, null, null])
  assert.deepEqual(read('x', 'Total: 1,280.00', null), [null, null, null, null])
  assert.deepEqual(read('x', 'Total: $12.00', 'eur'), [null, null, null, null])
  assert.deepEqual(read('x', 'Total: USD 12.00 CAD'), [null, null, null, null])
  assert.deepEqual(read('x', 'Total: 12.00 all in', null), [null, null, null, null])
  assert.deepEqual(read('x', 'Sub total: 12.00'), [null, null, null, null])
  assert.deepEqual(read('x', 'Invoice date: February 30, 2026'), [null, null, null, null])
})

test('a long text of what the patterns begin with is read to its end', () => {
  for (const piece of [
    'total ',
    'invoice ',
    'invoice number ',
    '1,',
    'invoice A',
    'load #',
    '-',
    'total amount due : ',
  ])
    assert.ok(readMailContent('x', piece.repeat(200_000 / piece.length), { units, currency: 'usd' }))
})
