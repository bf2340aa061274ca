import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextIn, openBefore } from './stop-order.ts'

const stopsOf = (...reports: string[]) =>
  reports.map((report, index) => ({
    id: String(index + 1),
    arrived: report.includes('a') ? 'then' : null,
    departed: report.includes('d') ? 'then' : null,
  }))
const ids = (stops: readonly { id: string }[]) => stops.map(({ id }) => id).join()

test('the next stop is the one at which the vehicle is, or the first after the last one that it departed from', () => {
  for (const [stops, next] of [
    [stopsOf('', '', ''), '1'],
    [stopsOf('a', '', ''), '1'],
    [stopsOf('ad', '', ''), '2'],
    [stopsOf('d', 'a', ''), '2'],
    [stopsOf('', 'ad', ''), '3'],
    [stopsOf('', '', 'a'), '3'],
    [stopsOf('ad', 'ad', 'ad'), undefined],
    [[], undefined],
  ] as const)
    assert.equal(nextIn(stops)?.id, next)
})

test('stops that are passed over are those back to the last one that was departed from', () => {
  assert.equal(ids(openBefore(stopsOf('', '', ''), '1')), '')
  assert.equal(ids(openBefore(stopsOf('a', '', ''), '3')), '1,2')
  assert.equal(ids(openBefore(stopsOf('', 'd', '', ''), '4')), '3')
  assert.equal(ids(openBefore(stopsOf('ad', '', 'ad'), '2')), '')
})
