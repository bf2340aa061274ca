import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readAmount } from './money.ts'
import { type NumberReading, readNumber, readQuantity, textAfterLeaving, typedNumberOf } from './numbers.ts'

const dollar = { iso_4217: 'USD', minor_units: 2 }
const yen = { iso_4217: 'JPY', minor_units: 0 }
const dinar = { iso_4217: 'KWD', minor_units: 3 }

/** What was typed, in which language, in which currency; and the amount in minor units. */
const amounts: [string, string, typeof dollar, number][] = [
  ['1.50', 'en-US', dollar, 150],
  ['1,50', 'en-US', dollar, 150],
  ['1,50', 'de-DE', dollar, 150],
  ['1.50', 'de-DE', dollar, 150],
  ['1,5', 'en-US', dollar, 150],
  ['1,500', 'en-US', dollar, 150_000],
  ['1.500', 'de-DE', dollar, 150_000],
  ['1,234.56', 'en-US', dollar, 123_456],
  ['1.234,56', 'de-DE', dollar, 123_456],
  ['1.234,56', 'en-US', dollar, 123_456],
  ['1,234.56', 'de-DE', dollar, 123_456],
  ['1 234,56', 'fr-FR', dollar, 123_456],
  ['1\u202f234,56', 'fr-FR', dollar, 123_456],
  ['1’234.56', 'de-CH', dollar, 123_456],
  ["1'234.56", 'en-US', dollar, 123_456],
  ['1.234.567', 'en-US', dollar, 123_456_700],
  ['12,34,567', 'en-IN', yen, 1_234_567],
  ['1,50,000', 'en-IN', dollar, 15_000_000],
  [' −12. ', 'en-US', dollar, -1200],
  ['-.75', 'en-US', dollar, -75],
  ['.5', 'en-US', dollar, 50],
  ['0,50', 'en-US', dollar, 50],
  ['0,500', 'en-US', dinar, 500],
  ['1,500', 'en-US', dinar, 1_500_000],
  ['1.500', 'en-US', dinar, 1500],
  ['007', 'en-US', dollar, 700],
  ['-0', 'en-US', dollar, 0],
]

/** What is refused, and with which words. */
const refusals: [string, string, typeof dollar, string][] = [
  ['1.500', 'en-US', dollar, 'USD has 2 decimals, not 3.'],
  ['1,500', 'de-DE', dollar, 'USD has 2 decimals, not 3.'],
  ['0,500', 'en-US', dollar, 'USD has 2 decimals, not 3.'],
  ['1.500', 'fr-FR', dollar, '1.500 can mean 1500 or 1,5. Enter one of them.'],
  ['1,500', 'de-CH', dollar, '1,500 can mean 1500 or 1.5. Enter one of them.'],
  ['1234,567', 'en-US', dollar, '1234,567 can mean 1234567 or 1234.567. Enter one of them.'],
  ['1.5', 'en-US', yen, 'JPY has no decimals. Enter an amount like 123456.'],
  ['ten', 'en-US', dollar, 'Enter an amount like 1234.56.'],
  ['ten', 'de-DE', dollar, 'Enter an amount like 1234,56.'],
  ['1,234,56', 'en-US', dollar, 'Enter an amount like 1234.56.'],
  ['1.234.56', 'de-DE', dollar, 'Enter an amount like 1234,56.'],
  ['1e3', 'en-US', dollar, 'Enter an amount like 1234.56.'],
  ['€5', 'en-US', dollar, 'Enter an amount like 1234.56.'],
  ['1 2', 'en-US', dollar, 'Enter an amount like 1234.56.'],
  ['--5', 'en-US', dollar, 'Enter an amount like 1234.56.'],
  ['.', 'en-US', dollar, 'Enter an amount like 1234.56.'],
  ['', 'en-US', dollar, 'Enter an amount like 1234.56.'],
  ['90071992547409.92', 'en-US', dollar, 'The amount is too large.'],
]

describe('a number that somebody typed', () => {
  for (const [typed, locale, currency, amount] of amounts)
    test(`${JSON.stringify(typed)} in ${locale} is ${amount} minor units of ${currency.iso_4217}`, () => {
      assert.deepEqual(readAmount(typed, currency, locale), { amount })
    })

  for (const [typed, locale, currency, problem] of refusals)
    test(`${JSON.stringify(typed)} in ${locale} is refused for ${currency.iso_4217}`, () => {
      assert.deepEqual(readAmount(typed, currency, locale), { problem })
    })

  test('is a whole number where one is needed, with or without groups', () => {
    const read = (text: string, locale: string): NumberReading => readQuantity(text, locale)
    assert.deepEqual(read('1,000', 'en-US'), { amount: 1000 })
    assert.deepEqual(read('1.000', 'de-DE'), { amount: 1000 })
    assert.deepEqual(read('-3', 'en-US'), { amount: -3 })
    for (const text of ['1.5', '1,5', '', '1.000', 'three'])
      assert.deepEqual(read(text, 'en-US'), { problem: 'Enter a whole number, like 3.' }, text)
    assert.ok('problem' in read('9007199254740993', 'en-US'))
  })

  test('that is no amount keeps all its decimals', () => {
    assert.deepEqual(readNumber('37,7955', 'en-US'), { amount: 37.7955 })
    assert.deepEqual(readNumber('-122.4194', 'de-DE'), { amount: -122.4194 })
    assert.deepEqual(readNumber('18.500', 'en-US'), { amount: 18.5 })
    assert.deepEqual(readNumber('1,50', 'en-US'), { amount: 1.5 })
    assert.deepEqual(readNumber('x', 'de-DE'), { problem: 'Enter a number, like 18,5.' })
    assert.ok('problem' in readNumber('9'.repeat(400), 'en-US'))
  })

  test('and that is shown in its input is read as the same number, in every language', () => {
    const locales = fc.constantFrom('en-US', 'de-DE', 'fr-FR', 'de-CH', 'sv-SE', 'ar', 'hi-IN', 'pt-BR')
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
        locales,
        (value, locale) => {
          const read = readNumber(typedNumberOf(value, locale), locale)
          assert.ok('amount' in read)
          // The smallest numbers are shown with 20 decimals, as many as browsers can.
          assert.ok(
            Math.abs(read.amount - value) <= 1e-20 + Math.abs(value) * Number.EPSILON,
            `${value} in ${locale} came back as ${read.amount}`,
          )
        },
      ),
    )
  })

  test('is shown back as it was understood, and left alone where it was not', () => {
    const shown = (typed: string) =>
      textAfterLeaving(typed, readNumber(typed, 'en-US'), (value) => typedNumberOf(value, 'en-US'))
    assert.equal(shown('1,50'), '1.5')
    assert.equal(shown('1,500'), '1500')
    assert.equal(shown('ten'), 'ten')
  })
})
