import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Refusal } from '../../platform/core/refusal.ts'
import { dayAfter } from '../../platform/core/values/dates.ts'
import { type DailyRate, dailyRates, isDaily, ratesInXml } from './ecb.ts'
import { place, type Range } from './ranges.ts'

const day = (number: number) => dayAfter('2026-01-01', number) as string
const pair = { from_currency_id: 'eur', to_currency_id: 'usd', source: null }
const days = Array.from({ length: 42 }, (_, number) => day(number))

const rateOn = (ranges: readonly Range[], on: string) =>
  ranges
    .filter(({ starts_on, ends_on }) => starts_on <= on && (ends_on === null || ends_on >= on))
    .map(({ rate }) => rate)

describe('rates put among others', () => {
  test('without an end hold until the next one begins, whatever the order in which they come', () => {
    const starts = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 9 })), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(starts, (rows) => {
        const ranges: Range[] = []
        const latest = new Map<string, string>()
        for (const [start, rate] of rows) {
          assert.notEqual(
            place(ranges, { ...pair, rate: String(rate), starts_on: day(start), ends_on: null }).status,
            'failed',
          )
          latest.set(day(start), String(rate))
        }
        for (const on of days) {
          const before = [...latest.keys()]
            .filter((start) => start <= on)
            .sort()
            .at(-1)
          assert.deepEqual(rateOn(ranges, on), before ? [latest.get(before)] : [])
        }
      }),
    )
  })

  test('never overlap, and one that fails leaves the others as they were', () => {
    const rows = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 30 }),
        fc.option(fc.integer({ min: 0, max: 8 })),
        fc.integer({ min: 1, max: 9 }),
      ),
      {
        maxLength: 30,
      },
    )
    fc.assert(
      fc.property(rows, (rows) => {
        const ranges: Range[] = []
        for (const [start, length, rate] of rows) {
          const before = structuredClone(ranges)
          const placed = place(ranges, {
            ...pair,
            rate: String(rate),
            starts_on: day(start),
            ends_on: length === null ? null : day(start + length),
          })
          if (placed.status === 'failed' || placed.status === 'unchanged') assert.deepEqual(ranges, before)
          else assert.deepEqual(rateOn(ranges, day(start)), [String(rate)])
          for (const on of days) assert.ok(rateOn(ranges, on).length <= 1, on)
          assert.deepEqual(
            ranges.map(({ starts_on }) => starts_on),
            ranges.map(({ starts_on }) => starts_on).toSorted(),
          )
        }
      }),
    )
  })
})

describe('the files of the European Central Bank', () => {
  const codeOf = (work: () => unknown) => {
    try {
      work()
    } catch (error) {
      return (error as Refusal).code
    }
    return null
  }

  test('have a day in each row of the CSV, in either form, and cells that are empty', () => {
    const header = { line: 1, cells: ['Date', ' USD', ' JPY', ' ISK', ' '] }
    assert.ok(isDaily(header))
    assert.ok(!isDaily({ line: 1, cells: ['from_currency_id', 'rate'] }))
    const usd: DailyRate = { line: 2, currency: 'usd', rate: '1.0583', day: '2024-11-15' }
    assert.deepEqual(dailyRates(header, { line: 2, cells: ['15 November 2024', ' 1.0583', ' 164.2', ' N/A', ' '] }), [
      usd,
      { ...usd, currency: 'jpy', rate: '164.2' },
    ])
    assert.deepEqual(dailyRates(header, { line: 2, cells: ['2024-11-15', '1.0583', 'N/A', null, null] }), [usd])
    for (const date of ['31 February 2024', '15 Brumaire 2024', '15/11/2024', ''])
      assert.equal(
        codeOf(() => dailyRates(header, { line: 2, cells: [date, '1'] })),
        'bad_date',
      )
  })

  test('have a day in each Cube of the XML, with a Cube for each currency', () => {
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject>
<!-- <Cube currency='XXX' rate='1'/> -->
<Cube>
<Cube time='2024-11-15'>
<Cube currency='USD' rate='1.0583'/>
<Cube rate="164.2" currency="JPY" />
</Cube><Cube time="2024-11-14"><Cube currency='USD' rate='1.0533'/></Cube>
</Cube></gesmes:Envelope>`
    assert.deepEqual(ratesInXml(text), [
      { line: 7, currency: 'usd', rate: '1.0583', day: '2024-11-15' },
      { line: 8, currency: 'jpy', rate: '164.2', day: '2024-11-15' },
      { line: 9, currency: 'usd', rate: '1.0533', day: '2024-11-14' },
    ])
    for (const wrong of [
      '',
      'x',
      '<Envelope/>',
      '<Cube currency="USD" rate="1"/>',
      '<Cube time="2024-11-15"><Cube currency="USD"/></Cube>',
    ])
      assert.equal(
        codeOf(() => ratesInXml(wrong)),
        'malformed_xml',
        wrong,
      )
  })
})
