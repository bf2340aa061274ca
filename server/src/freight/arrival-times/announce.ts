import type { Context } from '../../platform/context.ts'
import { zoneNameAt } from '../../platform/core/places/time-zones.ts'
import { recordEach } from '../../platform/events/record.ts'
import { sendMail } from '../../platform/mail/send.ts'
import type { Stop } from '../stops/itinerary/model.ts'
import { zoneOf } from '../stops/itinerary/zones.ts'
import { listNotices, listOrderIds, type Notice, wholeManifest } from './announce-store.ts'
import type { Estimate } from './estimate.ts'

/** A manifest that is later than the organization puts up with. */
export type Delay = {
  manifest: { id: string; full_id: string; settings: { time_zone: string } }
  estimate: Estimate
  stops: readonly Stop[]
  limit: number
}

/** Records `manifest.delayed` of each, and writes to the customers who want to know. */
export async function announceDelays(ctx: Context, delays: readonly Delay[]): Promise<void> {
  for (const delay of delays) {
    const { id } = delay.manifest
    const { stops, ...estimate } = delay.estimate
    const event = { id, type: 'manifest.delayed' as const, overrides: { tracking: { ...estimate, stops } } }
    await recordEach(ctx, 'manifest', [event], wholeManifest(ctx, id))
    for (const notice of await listNotices(ctx, await affectedOrders(ctx, delay))) await writeTo(ctx, notice, delay)
  }
}

/** The orders with a stop that is late; those of the whole manifest where such a stop names none. */
async function affectedOrders(ctx: Context, { manifest, estimate, stops, limit }: Delay): Promise<string[]> {
  const late = lateStops(estimate, stops, limit)
  const named = late.flatMap(({ stop }) => stop.orderId ?? [])
  return late.some(({ stop }) => !stop.orderId)
    ? [...new Set([...named, ...(await listOrderIds(ctx, manifest.id))])]
    : [...new Set(named)]
}

type Late = { stop: Stop; eta: string; delay_minutes: number }

function lateStops(estimate: Estimate, stops: readonly Stop[], limit: number): Late[] {
  return estimate.stops.flatMap(({ stop_id, eta, delay_minutes }) => {
    const stop = stops.find(({ id }) => id === stop_id)
    return stop && delay_minutes !== null && delay_minutes > limit ? [{ stop, eta, delay_minutes }] : []
  })
}

const defaultLabel = 'ETA delay notification'

async function writeTo(ctx: Context, { customer_id, label, emails, orders }: Notice, delay: Delay): Promise<void> {
  const names = orders.map(({ number, reference }) => (reference ? `${number} (${reference})` : number)).join(', ')
  const own = lateStops(delay.estimate, delay.stops, delay.limit).filter(
    ({ stop }) => !stop.orderId || orders.some(({ id }) => id === stop.orderId),
  )
  await sendMail(ctx, {
    ...{ kind: 'notice', scope: 'orders', to: emails, record: { type: 'customer', id: customer_id } },
    subject: `${label ?? defaultLabel}: ${names}`,
    text: [
      `${orders.length === 1 ? 'This order is' : 'These orders are'} expected late: ${names}.`,
      '',
      ...own.map((late) => lineOf(late, zoneOf(late.stop, delay.manifest.settings.time_zone))),
    ].join('\n'),
  })
}

/** `Delivery at Northside Grocers, Seattle: expected Nov 18, 2026, 19:20 PST, 2 h 20 min late.` */
function lineOf({ stop: { kind, address }, eta, delay_minutes }: Late, timeZone: string): string {
  const { companyName, city } = (address ?? {}) as { companyName?: string | null; city?: string | null }
  const where = [companyName, city].filter(Boolean).join(', ')
  const moment = new Date(eta)
  const time = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  }).format(moment)
  const [hours, minutes] = [Math.floor(delay_minutes / 60), delay_minutes % 60]
  const late = [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : ''].filter(Boolean).join(' ')
  return `${kind[0]?.toUpperCase()}${kind.slice(1)}${where ? ` at ${where}` : ''}: expected ${time} ${zoneNameAt(moment, timeZone)}, ${late} late.`
}
