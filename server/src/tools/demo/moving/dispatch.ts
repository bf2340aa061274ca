import { updateOrganization } from '../../../books/organization/actions.ts'
import { rebookAfter } from '../../../freight/bookings/switching.ts'
import { moveManifest, planManifest } from '../../../freight/dispatch/actions.ts'
import { extensions, uncheckedExtensions } from '../../../freight/extension.ts'
import { estimateAgain, recordPositions } from '../../../freight/positions/actions.ts'
import type { Context } from '../../../platform/context.ts'
import { writeObjects } from '../../../records/bulk/actions.ts'
import { customers } from './customers.ts'
import type { Freight } from './freight.ts'
import { type City, itemTypes, placeOf } from './lanes.ts'

const hour = 3_600_000

/** From whom to where, and the hours from now in which it is picked up and delivered. */
type Haul = {
  from: City
  to: City
  pickup: readonly [number, number]
  delivery: readonly [number, number]
  rate: number
}

type Trip = {
  hauls: readonly Haul[]
  /** The carrier and which of its trucks; a trip without one is still to be given away. */
  by?: { carrier: number; truck: number; driver: string; phone: string }
  to: 'active' | 'planned' | 'dispatched' | 'in_transit'
  /** When it departed, in hours from now, and how much of the way it has made. */
  departed?: number
  share?: number
}

const haul = (from: City, to: City, pickup: Haul['pickup'], delivery: Haul['delivery'], rate: number): Haul => ({
  from,
  to,
  pickup,
  delivery,
  rate,
})

const trips: readonly Trip[] = [
  {
    hauls: [haul('Amarillo, TX', 'Denver, CO', [-8, -5], [-1, 3], 168_000)],
    ...{
      by: { carrier: 1, truck: 0, driver: 'Rosa Delgado', phone: '+1 806 555 0141' },
      to: 'in_transit',
      departed: -6,
      share: 0.3,
    },
  },
  {
    hauls: [haul('Kansas City, MO', 'Chicago, IL', [-7, -4], [6, 12], 196_000)],
    ...{
      by: { carrier: 2, truck: 0, driver: 'Wes Kimura', phone: '+1 419 555 0172' },
      to: 'in_transit',
      departed: -5,
      share: 0.4,
    },
  },
  {
    hauls: [
      haul('Portland, OR', 'Boise, ID', [3, 6], [20, 24], 149_500),
      haul('Portland, OR', 'Salt Lake City, UT', [4, 8], [30, 36], 221_000),
    ],
    ...{ by: { carrier: 0, truck: 1, driver: 'Priya Natarajan', phone: '+1 503 555 0118' }, to: 'dispatched' },
  },
  {
    hauls: [haul('Savannah, GA', 'Nashville, TN', [18, 22], [42, 48], 187_000)],
    ...{ by: { carrier: 3, truck: 0, driver: 'Luther Boone', phone: '+1 912 555 0133' }, to: 'planned' },
  },
  {
    hauls: [
      haul('Harrisburg, PA', 'Columbus, OH', [26, 30], [40, 46], 122_500),
      haul('Harrisburg, PA', 'Toledo, OH', [26, 31], [48, 54], 134_000),
    ],
    ...{ by: { carrier: 5, truck: 1, driver: 'Hana Sato', phone: '+1 717 555 0159' }, to: 'planned' },
  },
  { hauls: [haul('Reno, NV', 'Phoenix, AZ', [30, 36], [54, 60], 243_000)], to: 'active' },
]

const toPlan: readonly Haul[] = [
  haul('Fresno, CA', 'Salt Lake City, UT', [20, 24], [44, 50], 214_000),
  haul('Toledo, OH', 'Chicago, IL', [22, 26], [34, 40], 98_500),
  haul('Boise, ID', 'Reno, NV', [28, 32], [46, 52], 137_000),
  haul('Denver, CO', 'Kansas City, MO', [44, 48], [66, 72], 176_500),
  haul('Charlotte, NC', 'Columbus, OH', [46, 52], [70, 76], 151_000),
  haul('Chicago, IL', 'Nashville, TN', [50, 54], [72, 78], 142_000),
]

/** Trips in every state for the board, one of them late, and orders that wait for a trip. Double bookings are refused from here on. */
export async function fillDispatch(ctx: Context, freight: Freight): Promise<void> {
  await updateOrganization(ctx, { double_booking: 'refuse' }, null, [rebookAfter])
  const all = [...trips.flatMap(({ hauls }) => hauls), ...toPlan]
  const orders = await write(
    ctx,
    all.map((haul, index) => ({ objectKey: 'order', json: orderOf(haul, index, freight) })),
  )
  for (const [index, trip] of trips.entries()) {
    const before = trips.slice(0, index).reduce((sum, { hauls }) => sum + hauls.length, 0)
    await makeTrip(ctx, trip, index, orders.slice(before, before + trip.hauls.length), freight)
  }
}

async function makeTrip(
  ctx: Context,
  { hauls, by, to, departed = 0, share = 0 }: Trip,
  index: number,
  order_ids: string[],
  freight: Freight,
): Promise<void> {
  const name = `TRIP-${5_561 + index}`
  const driven = by && {
    partner_carrier_id: freight.payees[by.carrier]?.id as string,
    equipment_id: freight.units[by.carrier]?.[by.truck] as string,
    ...{ driver_name: by.driver, driver_phone: by.phone },
  }
  const plan = { order_ids, external_id: name, reference_number: name, currency_id: 'usd', ...driven }
  const { id } = await planManifest(ctx, plan, { strict: false, extensions }, {})
  const [{ from, to: end, rate }] = hauls as [Haul]
  const unitPrice = Math.round((hauls.reduce((sum, { rate }) => sum + rate, 0) * 0.84) / 100) * 100
  const paymentItems = [
    { type: itemTypes.LH[0], description: `Line haul ${from} to ${end}`, unitPrice: unitPrice || rate, quantity: 1 },
  ]
  await write(ctx, [{ id, json: { paymentItems } }])
  const manifest = { by: 'id', id } as const
  if (to === 'active') await moveManifest(ctx, manifest, { to }, {})
  if (to === 'dispatched' || to === 'in_transit') await moveManifest(ctx, manifest, { to: 'dispatched' }, {})
  if (to !== 'in_transit') return
  await moveManifest(ctx, manifest, { to, at: hoursFromNow(departed) }, { afterwards: estimateAgain })
  await recordPositions(ctx, manifest, positionsOf(placeOf(from), placeOf(end), departed, share))
}

type Place = { latitude: number; longitude: number }

/** One for every hour, the last a quarter of an hour ago. */
function positionsOf(from: Place, to: Place, departed: number, share: number) {
  const hours = Math.floor(-departed)
  return Array.from({ length: hours }, (_, index) => {
    const done = (share * (index + 1)) / hours
    return {
      ...{
        at: hoursFromNow(departed + ((-departed - 0.25) * (index + 1)) / hours),
        source: 'device' as const,
        speed_kmh: 76,
        heading: null,
        place: null,
        note: null,
      },
      latitude: Math.round((from.latitude + (to.latitude - from.latitude) * done) * 10_000) / 10_000,
      longitude: Math.round((from.longitude + (to.longitude - from.longitude) * done) * 10_000) / 10_000,
    }
  })
}

function orderOf({ from, to, pickup, delivery, rate }: Haul, index: number, { shippers }: Freight) {
  const shipper = customers.findIndex(({ at }) => at === from)
  const consignee = customers.find(({ at }) => at === to)
  const { name, street, postal, goods, equipment } = customers[shipper] as (typeof customers)[number]
  return {
    ...{
      externalId: `SO-${5_561 + index}`,
      referenceNumber: `PO-${78_010 + index * 17}`,
      customerId: shippers[shipper]?.id,
    },
    pickup: { companyName: name, address1: street, postal, ...placeOf(from) },
    ...{ pickupAt: hoursFromNow(pickup[0]), pickupBy: hoursFromNow(pickup[1]) },
    delivery: {
      companyName: consignee?.name ?? 'Cross-dock',
      ...(consignee && { address1: consignee.street, postal: consignee.postal }),
      ...placeOf(to),
    },
    ...{ deliverAt: hoursFromNow(delivery[0]), deliverBy: hoursFromNow(delivery[1]) },
    ...{
      commodity: goods,
      pieces: 12 + (index % 9),
      weight: 9_800 + index * 420,
      weightUnit: 'kg',
      equipmentType: equipment,
    },
    ...(equipment === 'reefer' && { temperature: 2 }),
    ...{ hazardous: goods.startsWith('Lithium'), currency: 'usd', rate },
  }
}

async function write(
  ctx: Context,
  rows: readonly { objectKey?: string; id?: string; json: Record<string, unknown> }[],
): Promise<string[]> {
  const { outcomes } = await writeObjects(ctx, [...rows], {
    extensions: uncheckedExtensions,
    mode: 'all_or_nothing',
    source: 'manual',
  })
  return outcomes.map(({ id, refusal }) => {
    if (refusal || id === null) throw refusal ?? new Error('the demo made nothing of a row')
    return id
  })
}

/** To the minute, as people enter times. */
export function hoursFromNow(hours: number): string {
  return new Date(Math.floor((Date.now() + hours * hour) / 60_000) * 60_000).toISOString()
}
