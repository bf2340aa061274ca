import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type DayOrder, firstUnclear, orderIn, readDate } from './dates.ts'

const read = (text: string, order: DayOrder | null = null) => {
  const found = readDate(text, order)
  return 'cell' in found ? found.cell : found.problem
}

describe('dates as spreadsheets write them', () => {
  test('are read in every form that says by itself what it means', () => {
    for (const text of [
      '2026-12-31',
      '2026/12/31',
      '31-Dec-2026',
      '31-Dec-26',
      '31 December 2026',
      'Dec 31, 2026',
      'December 31st, 2026',
      '31.12.2026',
      '46387',
    ])
      assert.equal(read(text), '2026-12-31', text)
    assert.equal(read('2026-12-31T10:30:00+02:00'), '2026-12-31T10:30:00+02:00')
    assert.deepEqual(
      [read('31.12.2026 14:05'), read('12/31/2026 2:05 PM', 'month first'), read('46387.5')],
      ['2026-12-31T14:05:00', '2026-12-31T14:05:00', '2026-12-31T12:00:00'],
    )
    assert.equal(read('12/31/2026 12:00:00 AM', 'month first'), '2026-12-31')
  })

  test('have the order of day and month that all values of their column allow', () => {
    assert.equal(orderIn(['03/04/2026', '31/12/2026']), 'day first')
    assert.equal(orderIn(['03/04/2026', '12/31/2026', '']), 'month first')
    assert.equal(orderIn(['03.04.2026']), 'day first')
    assert.equal(orderIn(['2026-12-31', '12-Dec-2026', '46387', '05/05/2026', 'tomorrow']), null)
    assert.equal(orderIn(['03/04/2026', '04/03/2026']), 'either', 'both are days in both orders')
    assert.equal(orderIn(['31/12/2026', '12/31/2026']), 'either', 'they contradict each other')
    assert.deepEqual([firstUnclear(['05/05/2026', '03/04/2026']), firstUnclear(['31/12/2026'])], ['03/04/2026', null])
    assert.deepEqual([read('03/04/2026', 'day first'), read('03/04/2026', 'month first')], ['2026-04-03', '2026-03-04'])
  })

  test('are refused in words where there is no such day, and a number is a date only where it can be one', () => {
    assert.match(read('tomorrow'), /"tomorrow" is no date\. Write it like 2026-12-31\./)
    assert.match(read('31/12/2026', 'month first'), /no day of the calendar, read with the month first/)
    assert.match(read('2026-02-30'), /no day of the calendar/)
    assert.match(read('12-Foo-2026'), /no date/)
    for (const number of ['1850', '99999', '12345']) assert.match(read(number), /no date/, number)
  })
})
