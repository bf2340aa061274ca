import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { amountOf, decimalOf, moneyOf, productOf, readAmount, sumOf, typedAmountOf } from './money.ts'

const yen = { iso_4217: 'JPY', minor_units: 0 }
const dollar = { iso_4217: 'USD', minor_units: 2 }
const dinar = { iso_4217: 'KWD', minor_units: 3 }
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('money', () => {
  test('has the decimals of its currency, whichever way its sign points', () => {
    assert.equal(moneyOf(1234, yen, 'en'), '¥1,234')
    assert.equal(moneyOf(5, dollar, 'en'), '$0.05')
    assert.equal(moneyOf(-123456, dollar, 'en'), '-$1,234.56')
    assert.equal(plain(moneyOf(-1234567, dinar, 'en')), '-KWD 1,234.567')
    assert.equal(plain(moneyOf(123456, dollar, 'de')), '1.234,56 $')
    assert.equal(moneyOf(0, dollar, 'en'), '$0.00')
    assert.equal(amountOf(123456, 2, 'de'), '1.234,56')
  })

  test('is exact where a double is not', () => {
    assert.equal(moneyOf(Number.MAX_SAFE_INTEGER, dollar, 'en'), '$90,071,992,547,409.91')
    assert.equal(moneyOf(-Number.MAX_SAFE_INTEGER, dinar, 'en').replace(/\s/g, ' '), '-KWD 9,007,199,254,740.991')
    assert.equal(decimalOf(productOf(Number.MAX_SAFE_INTEGER, 3), 2), '270215977642229.73')
    assert.equal(sumOf([Number.MAX_SAFE_INTEGER, 1, -2n]), 9007199254740990n)
  })

  test('is read with the sign or the code of its own currency, and refused with that of another', () => {
    for (const typed of ['$1,250.50', '$ 1250.50', 'USD 1,250.50', '1,250.50 usd'])
      assert.deepEqual(readAmount(typed, dollar, 'en'), { amount: 125050 })
    assert.deepEqual(readAmount('-$1,250.50', dollar, 'en'), { amount: -125050 })
    assert.deepEqual(readAmount('1.250,50 $', dollar, 'de'), { amount: 125050 })
    assert.deepEqual(readAmount('CA$5', { iso_4217: 'CAD', minor_units: 2 }, 'en'), { amount: 500 })
    for (const typed of ['€1,250.50', '$', '$$5', 'CA$5'])
      assert.ok('problem' in readAmount(typed, dollar, 'en'), typed)
  })

  test('that was shown in a field and not touched is the same money, in every language', () => {
    const amounts = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
    fc.assert(
      fc.property(
        amounts,
        fc.constantFrom(yen, dollar, dinar),
        fc.constantFrom('en', 'de', 'fr', 'de-CH', 'ar', 'hi'),
        (amount, currency, locale) => {
          assert.deepEqual(readAmount(typedAmountOf(amount, currency.minor_units, locale), currency, locale), {
            amount: amount === 0 ? 0 : amount,
          })
        },
      ),
    )
  })
})
