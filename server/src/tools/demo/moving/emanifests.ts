import { planManifest } from '../../../freight/dispatch/actions.ts'
import { createEmanifest, updateEmanifest, validateEmanifest } from '../../../freight/emanifests/actions.ts'
import { applyAnswers } from '../../../freight/emanifests/applying.ts'
import type { Emanifest } from '../../../freight/emanifests/contents/model.ts'
import { submitEmanifest } from '../../../freight/emanifests/submitting.ts'
import { extensions } from '../../../freight/extension.ts'
import type { Context } from '../../../platform/context.ts'
import { segment, writeX12 } from '../../../platform/x12/write.ts'
import { findOne } from '../../../records/v1/read.ts'
import { manifestResource, orderResource } from '../../../records/v1/resources.ts'
import { createOne, updateOne } from '../../../records/v1/write.ts'
import { customers } from './customers.ts'
import { hoursFromNow } from './dispatch.ts'
import type { Freight } from './freight.ts'
import { itemTypes, placeOf } from './lanes.ts'

const asked = { strict: false, extensions }
const greatLakes = 2
const glassWorks = customers.findIndex(({ at }) => at === 'Toledo, OH')

const toronto = { city: 'Toronto', state: 'ON', country: 'CA', latitude: 43.6532, longitude: -79.3832 }
const glazier = { company_name: 'Lakeshore Glazing', address_1: '75 Commissioners St', postal: 'M5A 1A6', ...toronto }
const { name, street, postal } = customers[glassWorks] as (typeof customers)[number]
const works = { company_name: name, address_1: street, postal, ...placeOf('Toledo, OH') }

type Trip = {
  number: string
  from: typeof glazier
  to: typeof glazier
  /** The hours from now at which it is picked up, crosses and is delivered. */
  at: readonly [number, number, number]
  /** Where it crosses, with the number of the port where that is known. */
  crossing: { address: object; reference_numbers?: string[] }
  goods: { commodity: string; pieces: number; weight: number; rate: number }
}

const out: Trip = {
  ...{ number: '5611', from: works, to: glazier, at: [40, 44, 52] },
  crossing: {
    address: {
      company_name: 'Ambassador Bridge',
      city: 'Windsor',
      state: 'ON',
      country: 'CA',
      latitude: 42.3119,
      longitude: -83.074,
    },
    reference_numbers: ['0453'],
  },
  goods: { commodity: 'Crated float glass', pieces: 18, weight: 14_200, rate: 212_000 },
}
const back: Trip = {
  ...{ number: '5612', from: glazier, to: works, at: [62, 70, 74] },
  crossing: {
    address: {
      company_name: 'Ambassador Bridge',
      city: 'Detroit',
      state: 'MI',
      country: 'US',
      latitude: 42.3119,
      longitude: -83.074,
    },
  },
  goods: { commodity: 'Empty glass crates', pieces: 18, weight: 2_100, rate: 96_000 },
}

/** A trip across the border for which customs has accepted an e-manifest, and the way back, of whose e-manifest much is still missing. */
export async function fillEmanifests(ctx: Context, freight: Freight): Promise<void> {
  const { id, json } = await createEmanifest(ctx, { manifest_id: await makeTrip(ctx, out, freight), border: 'aci' })
  const { carrier_code: carrier, driver, shipments, trailers } = JSON.parse(json) as Emanifest
  await updateEmanifest(
    ctx,
    id,
    {
      driver: {
        ...driver,
        ...{ first_name: 'Noah', last_name: 'Whitaker', date_of_birth: '1984-03-11', gender: 'M', citizenship: 'US' },
        documents: [{ type: 'fast', number: '41120098761', country: 'US' }],
      },
      tractor: { number: 'K-218', vin: '1XKWDB0X57J211825', plate: 'PKL2041', plate_state: 'OH', plate_country: 'US' },
      trailers: trailers.map((trailer) => ({
        ...trailer,
        plate: trailer.plate ?? 'TR99821',
        plate_state: 'OH',
        plate_country: 'US',
        seals: ['889122'],
      })),
      shipments: shipments.map((shipment, index) => ({
        ...shipment,
        control_number: `${carrier}00993${21 + index}`,
        loading_port: 'USTOL',
        commodities: shipment.commodities.map((commodity) => ({
          ...commodity,
          unit: 'CTN' as const,
          country_of_origin: 'US',
        })),
      })),
    },
    null,
  )
  const { missing } = await validateEmanifest(ctx, id, null)
  if (missing.length > 0)
    throw new Error(`the e-manifest of the demo lacks ${missing.map(({ field }) => field).join(', ')}`)
  const submitted = JSON.parse((await submitEmanifest(ctx, id, null, { isTest: true })).json) as Emanifest
  for (const { control_number } of submitted.filings)
    await applyAnswers(ctx, acceptanceOf(submitted, Number(control_number)))
  await createEmanifest(ctx, { manifest_id: await makeTrip(ctx, back, freight), border: 'ace' })
}

/** Answers the id of the manifest, which has a border stop between where it is picked up and where it is delivered. */
async function makeTrip(
  ctx: Context,
  { number, from, to, at: [pickup, crosses, delivery], crossing, goods }: Trip,
  { payees, shippers, units }: Freight,
): Promise<string> {
  const { id: order } = await createOne(
    ctx,
    orderResource,
    {
      ...{
        external_id: `SO-${number}`,
        reference_number: `PO-${number}`,
        customer_id: shippers[glassWorks]?.id,
        pickup: from,
        delivery: to,
      },
      ...{
        pickup_at: hoursFromNow(pickup),
        pickup_by: hoursFromNow(pickup + 2),
        deliver_at: hoursFromNow(delivery),
        deliver_by: hoursFromNow(delivery + 4),
      },
      ...{ ...goods, weight_unit: 'kg', equipment_type: 'step_deck', currency_id: 'usd' },
    },
    asked,
  )
  const plan = {
    ...{ order_ids: [order], external_id: `TRIP-${number}`, reference_number: `TRIP-${number}`, currency_id: 'usd' },
    ...{ partner_carrier_id: payees[greatLakes]?.id as string, equipment_id: units[greatLakes]?.[1] as string },
    ...{ driver_name: 'Noah Whitaker', driver_phone: '+1 419 555 0126' },
  }
  const { id } = await planManifest(ctx, plan, asked, {})
  const reference = { by: 'id', id } as const
  const [first, ...others] = JSON.parse((await findOne(ctx, manifestResource, reference)).json).stops as object[]
  const border = {
    kind: 'border',
    ...crossing,
    window_start: hoursFromNow(crosses),
    window_end: hoursFromNow(crosses + 1),
  }
  const stops = [first, border, ...others].map((stop, index) => ({ ...stop, sequence: index + 1 }))
  const payment_items = [
    {
      type: itemTypes.LH[0],
      description: `Line haul ${from.city} to ${to.city}`,
      unit_price: Math.round(goods.rate * 0.84),
      quantity: 1,
    },
  ]
  await updateOne(ctx, manifestResource, reference, { stops, payment_items }, null, asked)
  return id
}

/** What customs answers: the syntax, and that it is accepted. */
function acceptanceOf({ carrier_code, trip_number, port, tractor }: Emanifest, control: number): string {
  const carrier = carrier_code as string
  const at = new Date()
  const group = (code: string, set: string, number: number, segments: string[]) => ({
    ...{ code, sender: 'CBSA', receiver: carrier, control: String(number), version: '005020' },
    transactions: [{ code: set, control: '0001', segments }],
  })
  return writeX12(
    {
      sender: { qualifier: 'ZZ', id: 'CBSA' },
      receiver: { qualifier: '02', id: carrier },
      at,
      control: 7_000 + control,
      isTest: true,
      version: '005020',
    },
    [
      group('FA', '997', 1, [segment('AK1', 'AQ', control), segment('AK9', 'A', 1, 1, 1)]),
      group('AZ', '355', 2, [
        segment('M10', carrier, 'J', 'CA', '', `TRUCK ${tractor?.number}`, trip_number?.slice(-10), trip_number),
        segment('P4', port, at.toISOString().slice(0, 10).replaceAll('-', '')),
        ...[segment('LX', 1), segment('N9', 'TN', control), segment('K1', 'ACCEPTED')],
        segment('K3', 'END OF MESSAGE'),
      ]),
    ],
  )
}
