import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeOf, typeFor, viewOf } from './types.ts'

test('the name of a file says what it is, where people name it so', () => {
  for (const [name, type] of [
    ['POD_4711.pdf', 'pod'],
    ['signed-delivery-receipt.png', 'pod'],
    ['BOL 12.pdf', 'bol'],
    ['rate-con.pdf', 'rate_confirmation'],
    ['Lumper receipt.jpg', 'lumper_receipt'],
    ['INV-7310.pdf', 'invoice'],
    ['podium.pdf', 'other'],
  ])
    assert.equal(typeFor(name as string), type)
})

test('PDF and pictures made of dots can be looked at, everything else is downloaded', () => {
  assert.deepEqual(
    ['application/pdf', 'image/png', 'image/tiff', 'text/plain', 'image/svg+xml'].map((media_type) =>
      viewOf({ media_type }),
    ),
    ['pdf', 'picture', null, null, null],
  )
})

test('a size is shown in the unit that fits', () => {
  assert.deepEqual([sizeOf(12), sizeOf(1500), sizeOf(2.5 * 2 ** 20)], ['12 B', '2 KB', '2.5 MB'])
})
