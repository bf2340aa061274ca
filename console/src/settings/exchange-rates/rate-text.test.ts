import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRate, typedRateOf } from './rate-text.ts'

test('a rate is read digit by digit, in the language of the person, and never rounded', () => {
  assert.deepEqual(readRate('1.0842000001', 'en'), { rate: '1.0842000001' })
  assert.deepEqual(readRate('1,0842', 'de'), { rate: '1.0842' })
  assert.deepEqual(readRate('.5', 'en'), { rate: '0.5' })
  for (const wrong of ['', '0', '0.000', '-1', 'one', '1.12345678901'])
    assert.ok('problem' in readRate(wrong, 'en'), wrong)
  assert.equal(typedRateOf('1.0842', 'de'), '1,0842')
})
