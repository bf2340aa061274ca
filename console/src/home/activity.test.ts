import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Activity, activityIn } from './activity.ts'

type Event = Activity['event']

let made = 0

/** Events of one request, the newest first, each as `bill.paid 1`: its type and the record. */
function request(id: string | null, ...events: string[]): Event[] {
  return events.map((text) => {
    const [type = '', record = ''] = text.split(' ')
    const [noun = ''] = type.split('.')
    const method = record.startsWith('recorded') ? 'recorded' : 'ach'
    return {
      id: String(++made),
      type,
      request_id: id,
      subject: { type: noun, id: `${noun} ${record}` },
      data: { method },
    } as unknown as Event
  })
}

const linesOf = (events: Event[]) => activityIn(events).map(({ event, others }) => `${event.type} ${others}`)

test('what one request did is one entry, with what says most of it', () => {
  assert.deepEqual(
    linesOf([
      ...request('a', 'payment.issued recorded', 'payment.created recorded', 'bill.paid 1', 'bill.status_updated 1'),
      ...request(
        'b',
        'bill.paid 1',
        'bill.status_updated 1',
        'bill.updated 2',
        'payment.issued 2',
        'payment.created 2',
      ),
      ...request(
        'c',
        'consolidated_bill.paid 1',
        'consolidated_bill.status_updated 1',
        'payment.issued recorded',
        'bill.paid 1',
        'bill.paid 2',
      ),
      ...request('d', 'bill.sent 2', 'bill.status_updated 2', 'bill.sent 1', 'bill.status_updated 1'),
      ...request('e', 'invoice.updated 1'),
    ]),
    ['bill.paid 0', 'payment.issued 0', 'consolidated_bill.paid 0', 'bill.sent 1', 'invoice.updated 0'],
  )
})

test('what no request did stands for itself', () => {
  assert.deepEqual(linesOf(request(null, 'order.updated 1', 'order.updated 2')), ['order.updated 0', 'order.updated 0'])
})
