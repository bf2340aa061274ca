import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { decimalOf, moneyOf, productOf, readAmount, readQuantity, sumOf, typedAmountOf } from './money.ts'

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
  })

  test('is exact where a double is not', () => {
    assert.equal(moneyOf(Number.MAX_SAFE_INTEGER, dollar, 'en'), '$90,071,992,547,409.91')
    assert.equal(moneyOf(-Number.MAX_SAFE_INTEGER, dinar, 'en').replace(/\s/g, ' '), '-KWD 9,007,199,254,740.991')
    assert.equal(decimalOf(productOf(Number.MAX_SAFE_INTEGER, 3), 2), '270215977642229.73')
    assert.equal(sumOf([Number.MAX_SAFE_INTEGER, 1, -2n]), 9007199254740990n)
  })

  test('that is typed is read by its digits', () => {
    assert.deepEqual(readAmount(' 1,234.5 ', dollar, 'en'), { amount: 123450 })
    assert.deepEqual(readAmount('1234', dollar, 'en'), { amount: 123400 })
    assert.deepEqual(readAmount('0.29', dollar, 'en'), { amount: 29 })
    assert.deepEqual(readAmount('−12.', dollar, 'en'), { amount: -1200 })
    assert.deepEqual(readAmount('1.234,56', dollar, 'de'), { amount: 123456 })
    assert.deepEqual(readAmount('1 234,567', dinar, 'fr'), { amount: 1234567 })
    assert.deepEqual(readAmount('12,34,567', yen, 'en-IN'), { amount: 1234567 })
    assert.deepEqual(readAmount('90071992547409.91', dollar, 'en'), { amount: Number.MAX_SAFE_INTEGER })
    assert.deepEqual(readQuantity('-3'), { amount: -3 })
  })

  test('that could mean two things, or is too fine or too large, is refused with a word on what would be right', () => {
    const problem = (text: string, currency: typeof yen, locale = 'en') => {
      const read = readAmount(text, currency, locale)
      assert.ok('problem' in read, `${text} was read as ${JSON.stringify(read)}`)
      return read.problem
    }
    assert.equal(problem('1.50', dollar, 'de'), 'Enter an amount like 1234,56.')
    assert.equal(problem('12,50', dollar), 'Enter an amount like 1234.56.')
    assert.equal(problem('1.005', dollar), 'USD has 2 decimals, not 3.')
    assert.match(problem('1.5', yen), /^JPY has no decimals/)
    assert.equal(problem('90071992547409.92', dollar), 'The amount is too large.')
    for (const text of ['', '-', '.5', '1e3', '$5', '1,2', '0x10', '1 2']) problem(text, dollar)
    assert.ok('problem' in readQuantity('1.5'))
  })

  test('that was shown in a field and not touched is the same money, in every language', () => {
    const amounts = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
    fc.assert(
      fc.property(amounts, fc.constantFrom(yen, dollar, dinar), fc.constantFrom('en', 'de', 'fr', 'de-CH', 'ar', 'hi'), (amount, currency, locale) => {
        assert.deepEqual(readAmount(typedAmountOf(amount, currency.minor_units, locale), currency, locale), { amount: amount === 0 ? 0 : amount })
      }),
    )
  })
})
