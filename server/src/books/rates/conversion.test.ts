import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../platform/core/refusal.ts'
import { largestAmount } from '../../platform/core/values/money.ts'
import { decimalOf, inverse, ratioOf } from '../../platform/core/values/ratio.ts'
import { convert, gainOf, keptRate, type MinorUnits, rateKept } from './conversion.ts'

const units: MinorUnits = new Map([
  ['usd', 2],
  ['eur', 2],
  ['jpy', 0],
  ['kwd', 3],
  ['clf', 4],
])
const currencies = fc.constantFrom('usd', 'eur', 'jpy', 'kwd', 'clf')
const amounts = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
/** A rate of the table, as its digits without the point: so many 10-billionths. */
const digits = fc.oneof(
  fc.bigInt({ min: 1n, max: 10n ** 10n }),
  fc.bigInt({ min: 1n, max: 10n ** 15n }),
  fc.constantFrom(3n, 14n, 15n, 5n).map((n) => n * 10n ** 10n),
)

/** The nearest whole number to p / q by trying the two next to it: another way than the code under test goes. */
function nearest(p: bigint, q: bigint): bigint {
  const below = p / q - (p % q < 0n ? 1n : 0n)
  const [under, over] = [p - below * q, (below + 1n) * q - p]
  if (under === over) return p < 0n ? below : below + 1n
  return under < over ? below : below + 1n
}

/** amount × rate in the minor unit of the other currency, as p / q of whole numbers; `rate` is in 10-billionths, or its inverse. */
function exact(amount: number, rate: bigint, isInverse: boolean, from: string, to: string): [bigint, bigint] {
  const [p, q] = isInverse ? [10n ** 10n, rate] : [rate, 10n ** 10n]
  return [BigInt(amount) * p * 10n ** BigInt(units.get(to) ?? 0), q * 10n ** BigInt(units.get(from) ?? 0)]
}

const textOf = (rate: bigint) => decimalOf({ n: rate, d: 10n ** 10n }, 10)

function converted(amount: number, rate: ReturnType<typeof ratioOf>, from: string, to: string): bigint | 'too large' {
  try {
    return BigInt(convert(amount, rate, from, to, units, 'amount'))
  } catch (error) {
    assert.ok(error instanceof Refusal && error.code === 'amount_too_large')
    return 'too large'
  }
}

const fitting = (value: bigint) =>
  value > BigInt(largestAmount) || value < -BigInt(largestAmount) ? 'too large' : value

describe('a conversion', () => {
  test('is the exact product, or quotient, rounded once, a half away from zero', () => {
    fc.assert(
      fc.property(amounts, digits, fc.boolean(), currencies, currencies, (amount, rate, isInverse, from, to) => {
        const table = ratioOf(textOf(rate))
        const [p, q] = exact(amount, rate, isInverse, from, to)
        assert.equal(converted(amount, isInverse ? inverse(table) : table, from, to), fitting(nearest(p, q)))
      }),
      { numRuns: 2000 },
    )
  })

  test('comes to the same by the rate that a document kept of it', () => {
    fc.assert(
      // Beyond a million the 20 decimals of an inverse no longer tell which rate it came from; no pair of currencies has such a rate and 10 decimals.
      fc.property(
        amounts,
        fc.bigInt({ min: 10n ** 4n, max: 10n ** 15n }),
        fc.boolean(),
        currencies,
        currencies,
        (amount, rate, isInverse, from, to) => {
          const table = ratioOf(textOf(rate))
          const kept = keptRate(isInverse ? inverse(table) : table)
          const [p, q] = exact(amount, rate, isInverse, from, to)
          assert.equal(converted(amount, rateKept(kept), from, to), fitting(nearest(p, q)), kept)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('rounds halves away from zero, also where the rate has no end as a decimal number', () => {
    assert.equal(convert(1, ratioOf('0.5'), 'usd', 'eur', units, 'a'), 1)
    assert.equal(convert(-1, ratioOf('0.5'), 'usd', 'eur', units, 'a'), -1)
    assert.equal(convert(7, inverse(ratioOf('14')), 'usd', 'eur', units, 'a'), 1)
    assert.equal(convert(7, rateKept(keptRate(inverse(ratioOf('14')))), 'usd', 'eur', units, 'a'), 1)
    assert.equal(convert(1000, ratioOf('155.12'), 'usd', 'jpy', units, 'a'), 1551)
    assert.equal(convert(1551, inverse(ratioOf('155.12')), 'jpy', 'usd', units, 'a'), 1000)
  })

  test('there and back is off by no more than what the rounding took', () => {
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 10n ** 10n, max: 10n ** 12n }), (amount, rate) => {
        const table = ratioOf(textOf(rate))
        const back = convert(convert(amount, table, 'usd', 'eur', units, 'a'), inverse(table), 'eur', 'usd', units, 'a')
        assert.ok(Math.abs(back - amount) <= 1)
      }),
    )
  })
})

describe('the gain of a payment', () => {
  const at = (exchange_rate: string | null, home_currency_id: string | null = 'usd') => ({
    exchange_rate,
    home_currency_id,
  })

  test('is what comes in at a higher rate, and the loss of what goes out at one', () => {
    assert.equal(gainOf({ direction: 'in', amount: 10_000, currency_id: 'eur' }, at('1.08'), at('1.1'), units), 200)
    assert.equal(gainOf({ direction: 'out', amount: 10_000, currency_id: 'eur' }, at('1.08'), at('1.1'), units), -200)
    assert.equal(gainOf({ direction: 'out', amount: 10_000, currency_id: 'eur' }, at('1.1'), at('1.08'), units), 200)
    assert.ok(
      Object.is(gainOf({ direction: 'out', amount: 10_000, currency_id: 'eur' }, at('1.1'), at('1.1'), units), 0),
    )
    assert.equal(
      gainOf({ direction: 'in', amount: 1_000_000, currency_id: 'jpy' }, at('0.0064'), at('0.0065'), units),
      10_000,
    )
  })

  test('is unknown where a rate is, or where the home currency was another', () => {
    for (const [document, payment] of [
      [at(null, null), at('1.1')],
      [at('1.1'), at(null, null)],
      [at('1.1'), at('1.1', 'cad')],
    ] as const)
      assert.equal(gainOf({ direction: 'in', amount: 100, currency_id: 'eur' }, document, payment, units), null)
  })

  test('is the exact difference, rounded once', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), digits, digits, (amount, first, second) => {
        const [p, q] = [BigInt(amount) * (second - first), 10n ** 10n]
        const gain = gainOf(
          { direction: 'in', amount, currency_id: 'eur' },
          at(textOf(first)),
          at(textOf(second)),
          units,
        )
        assert.equal(BigInt(gain as number), nearest(p, q))
      }),
    )
  })
})
