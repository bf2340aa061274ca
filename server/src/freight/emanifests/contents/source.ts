import type { Fields } from '../../../records/model/object.ts'
import { borderOf } from '../../crossings/model.ts'
import { type Stop, stopsIn } from '../../stops/itinerary/model.ts'
import { type Border, customs, type TrailerKind, trailerKinds } from './codes.ts'
import { type Content, contentOf } from './model.ts'
import type { SentShipment, SentTractor, SentTrailer } from './parts.ts'

/** What an e-manifest is filled from. */
export type Source = {
  id: string
  number: string
  manifest: Fields
  scac: string | null
  equipment: Fields | null
  orders: { id: string; json: Fields }[]
  others: { border: Border; stop_id: string | null; trip_number: string | null }[]
}

/** What the manifest, its orders, its stops and its equipment say of it. What none of them says is left for people to enter. */
export function fillFrom(
  { manifest, number, scac, equipment, orders, others }: Source,
  border: Border,
  stopId: string | null,
): Content {
  const stops = stopsIn(manifest)
  const stop = stopId === null ? crossingIn(stops, border, others) : stops.find(({ id }) => id === stopId)
  const carrier = /^[A-Z0-9]{2,4}$/.exec((scac ?? '').trim().toUpperCase())?.[0] ?? null
  const [tractor, trailers] = vehiclesOf(equipment)
  return contentOf({
    stop_id: stop?.id ?? null,
    carrier_code: carrier,
    trip_number: carrier && tripNumber(carrier, text(manifest.referenceNumber) ?? number, border, others),
    port: stop?.referenceNumbers?.find((reference) => customs[border].portDigits.test(reference)) ?? null,
    crossing_at: stop?.windowStart ?? stop?.windowEnd ?? null,
    driver: driverOf(manifest),
    tractor,
    trailers,
    shipments: orders.map(({ id, json }) => shipmentOf(id, json, border)),
  })
}

/** The border stop that comes into this country, of which there is no e-manifest yet. */
function crossingIn(stops: readonly Stop[], border: Border, others: Source['others']): Stop | undefined {
  const crossings = stops.filter(
    (stop, index) => stop.kind === 'border' && [border, null].includes(borderOf(stops, index)),
  )
  return crossings.find(({ id }) => !others.some(({ stop_id }) => stop_id === id)) ?? crossings[0]
}

/** The carrier's code and the number of the trip; none where that is taken. */
function tripNumber(carrier: string, trip: string, border: Border, others: Source['others']): string | null {
  const own = trip.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const made = `${carrier}${own}`.slice(0, customs[border].longestTrip)
  return own === '' || others.some((other) => other.border === border && other.trip_number === made) ? null : made
}

function driverOf({ driverName, driverPhone }: Fields) {
  const words = (text(driverName) ?? '').split(/\s+/).filter(Boolean)
  if (words.length === 0) return null
  const last = words.length > 1 ? (words.at(-1) as string) : null
  const first = words.slice(0, last === null ? 1 : -1).join(' ')
  return {
    first_name: first.slice(0, 35),
    last_name: last?.slice(0, 60) ?? null,
    phone: text(driverPhone)?.slice(0, 30) ?? null,
    documents: [],
  }
}

/** A manifest has one piece of equipment: the truck, or what it pulls. */
function vehiclesOf(equipment: Fields | null): [SentTractor | null, SentTrailer[]] {
  if (!equipment) return [null, []]
  const kind = text(equipment.equipmentType)
  const own = {
    number: text(equipment.unitNumber)?.slice(0, 15) ?? null,
    plate: text(equipment.licensePlate)?.slice(0, 15) ?? null,
    plate_state: stateIn(equipment.licenseState),
  }
  if (kind === 'tractor' || kind === 'box_truck')
    return [{ ...own, vin: text(equipment.vin)?.slice(0, 17) ?? null }, []]
  return [null, [{ ...own, kind: (trailerKinds as string[]).includes(kind ?? '') ? (kind as TrailerKind) : 'other' }]]
}

function shipmentOf(id: string, order: Fields, border: Border): SentShipment {
  const stops = stopsIn(order)
  const at = (kind: Stop['kind']) => stops.find((stop) => stop.kind === kind)?.address
  const weight = typeof order.weight === 'number' && order.weight > 0 ? order.weight : null
  return {
    order_id: id,
    type: customs[border].types[0] ?? null,
    shipper: partyOf(order.pickup ?? at('pickup')),
    consignee: partyOf(order.delivery ?? at('delivery')),
    commodities: [
      {
        description: text(order.commodity)?.slice(0, 45) ?? null,
        quantity: Number.isInteger(order.pieces) && (order.pieces as number) > 0 ? (order.pieces as number) : null,
        unit: 'PCS',
        weight,
        weight_unit: weight === null ? null : order.weightUnit === 'lb' ? 'lb' : 'kg',
      },
    ],
  }
}

function partyOf(address: unknown): NonNullable<SentShipment['shipper']> | null {
  if (typeof address !== 'object' || address === null) return null
  const { companyName, address1, address2, city, state, postal, country } = address as Record<string, unknown>
  return {
    ...{
      name: text(companyName)?.slice(0, 60) ?? null,
      address_1: text(address1)?.slice(0, 55) ?? null,
      address_2: text(address2)?.slice(0, 55) ?? null,
    },
    ...{
      city: text(city)?.slice(0, 30) ?? null,
      state: stateIn(state),
      postal: text(postal)?.slice(0, 15) ?? null,
      country: stateIn(country),
    },
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** A code of two letters; nothing where a name is written out. */
function stateIn(value: unknown): string | null {
  return /^[A-Za-z]{2}$/.exec(text(value) ?? '')?.[0]?.toUpperCase() ?? null
}
