import { withoutEnd } from '../../../platform/core/values/text.ts'
import { readX12, type Segment } from '../../../platform/x12/read.ts'
import { segment, writeX12 } from '../../../platform/x12/write.ts'
import {
  type Border,
  customs,
  documentCodes,
  driverCode,
  equipmentCodes,
  groupCodes,
  type Purpose,
  purposeCodes,
  type TransactionSet,
  tractorCode,
  truckCode,
  version,
  type WeightUnit,
  weightUnits,
} from './codes.ts'
import type { Content } from './model.ts'
import type { Commodity, Driver, Party, Shipment } from './parts.ts'

/** A complete e-manifest: all that is needed is there. */
export type CompleteEmanifest = Content & { border: Border; carrier_code: string; trip_number: string }

/** `previous`: the interchange of the same set that customs has accepted, for an amendment. */
export type InterchangeParts = {
  set: TransactionSet
  purpose: Purpose
  control: number
  at: Date
  isTest: boolean
  previous?: string | null
}

/** The interchange that files an e-manifest: one group with one transaction, as customs takes it. */
export function writeInterchange(emanifest: CompleteEmanifest, written: InterchangeParts): string {
  const segments = written.set === '309' ? manifestSegments(emanifest, written) : consistSegments(emanifest, written)
  return enclosed(emanifest, written, segments)
}

/** Takes back what was filed: the same transaction, with the purpose of a cancellation, and in a 309 with each shipment deleted. */
export function writeCancellation(
  emanifest: Pick<CompleteEmanifest, 'border' | 'carrier_code'>,
  written: Omit<InterchangeParts, 'purpose'>,
  filed: string,
): string {
  const segments = segmentsIn(filed)
  const first = segments.findIndex(({ tag }) => tag === 'LX')
  const port = segments.find(({ tag }) => tag === 'P4')?.elements[0]
  const shipments = loopsIn(filed)
  const kept = [
    ...segments.slice(0, first < 0 ? undefined : first),
    ...(shipments.length > 0 ? shipments : allLoopsIn(filed)).flat(),
  ]
  const taken = kept.flatMap((one) => {
    const { tag, elements } = one
    if (tag === 'M13') return shipments.length > 0 ? [] : [sameAs(one)]
    if (tag === 'M10')
      return [
        segment(
          tag,
          ...elements.slice(0, 12),
          ...Array(Math.max(0, 12 - elements.length)).fill(''),
          purposeCodes.cancellation,
        ),
      ]
    return tag === 'M11' ? [amendmentOf(emanifest.carrier_code, port, 'D', elements[0]), sameAs(one)] : [sameAs(one)]
  })
  return enclosed(emanifest, written, taken)
}

/** Whether the shipments are what an interchange that was accepted says. */
export function isSameFreight(emanifest: CompleteEmanifest, accepted: string): boolean {
  const before = loopsIn(accepted).map((loop) => loop.filter(({ tag }) => tag !== 'M13').map(sameAs))
  const now = emanifest.shipments.map((shipment, index) => shipmentSegments(emanifest, shipment, index, null))
  return JSON.stringify(before) === JSON.stringify(now)
}

function enclosed(
  { border, carrier_code }: Pick<CompleteEmanifest, 'border' | 'carrier_code'>,
  { set, control, at, isTest }: Omit<InterchangeParts, 'purpose'>,
  segments: string[],
): string {
  const { receiver } = customs[border]
  const transaction = { code: set, control: '0001', segments }
  return writeX12(
    {
      sender: { qualifier: '02', id: carrier_code },
      receiver: { qualifier: 'ZZ', id: receiver },
      at,
      control,
      isTest,
      version,
    },
    [
      {
        code: groupCodes[set],
        sender: carrier_code,
        receiver,
        control: String(control),
        version,
        transactions: [transaction],
      },
    ],
  )
}

function manifestSegments(emanifest: CompleteEmanifest, { purpose, previous }: InterchangeParts): string[] {
  const { carrier_code, port, shipments } = emanifest
  const before = previous ? controlsIn(previous) : []
  const gone =
    purpose === 'amendment'
      ? before.filter((control) => !shipments.some(({ control_number }) => control_number === control))
      : []
  return [
    headOf(emanifest, purpose, shipments.length),
    ...conveyanceSegments(emanifest),
    portOf(emanifest, shipments.length),
    ...shipments.flatMap((shipment, index) => {
      const amendment =
        purpose === 'amendment' ? (before.includes(shipment.control_number as string) ? 'R' : 'A') : null
      return shipmentSegments(emanifest, shipment, index, amendment)
    }),
    ...gone.flatMap((control, index) => [
      segment('LX', shipments.length + index + 1),
      amendmentOf(carrier_code, port, 'D', control),
    ]),
  ]
}

/** Who amends which bill of lading at which port. The carrier stands in it twice: as the one that files, and as the one that issued the bill. */
function amendmentOf(
  carrier: string,
  port: string | null | undefined,
  kind: 'A' | 'R' | 'D',
  control: string | null | undefined,
): string {
  return segment('M13', carrier, port, kind, control, ...Array(4).fill(''), carrier)
}

function consistSegments(emanifest: CompleteEmanifest, { purpose }: InterchangeParts): string[] {
  const { carrier_code, trailers, shipments } = emanifest
  const units = trailers.length > 0 ? trailers : [null]
  return [
    headOf(emanifest, purpose, shipments.length),
    ...conveyanceSegments(emanifest),
    portOf(emanifest, shipments.length),
    ...units.flatMap((unit, index) => [
      ...unitSegments(emanifest, unit?.number ?? null),
      ...shipments
        .filter(
          ({ trailer }) =>
            (trailer ?? units[0]?.number ?? null) === (unit?.number ?? null) || (index === 0 && trailer === null),
        )
        .map(({ control_number }) => segment('MBL', carrier_code, control_number)),
    ]),
  ]
}

/**
 * The element of the number of a voyage has 10 characters; the whole number of the trip stands behind it. A conveyance has a code or a name: that of a truck
 * is its number.
 */
function headOf(
  { border, carrier_code, trip_number, tractor }: CompleteEmanifest,
  purpose: Purpose,
  shipments: number,
): string {
  const { country } = customs[border]
  const name = `TRUCK ${tractor?.number ?? ''}`
  return segment(
    'M10',
    carrier_code,
    'J',
    country,
    '',
    name,
    trip_number.slice(-10),
    trip_number,
    shipments,
    '',
    '',
    '',
    '',
    purposeCodes[purpose],
  )
}

function portOf({ port, crossing_at }: CompleteEmanifest, shipments: number): string {
  const [day, time] = [
    (crossing_at ?? '').slice(0, 10).replaceAll('-', ''),
    (crossing_at ?? '').slice(11, 16).replace(':', ''),
  ]
  return segment('P4', port, day, shipments, '', time)
}

/** The truck and what it pulls, and who drives. */
function conveyanceSegments({ tractor, trailers, driver }: CompleteEmanifest): string[] {
  const vehicles = [
    ...(tractor ? [{ ...tractor, code: tractorCode }] : []),
    ...trailers.map((trailer) => ({ ...trailer, vin: null, code: equipmentCodes[trailer.kind ?? 'other'] })),
  ]
  return [
    ...vehicles.map(({ vin, plate, plate_state, plate_country, number, code }, index) =>
      segment(
        'VEH',
        index + 1,
        vin,
        ...Array(6).fill(''),
        plate,
        plate_state,
        ...Array(6).fill(''),
        plate_country,
        '',
        '',
        code,
        number,
      ),
    ),
    ...(driver ? driverSegments(driver) : []),
  ]
}

function driverSegments({ first_name, last_name, date_of_birth, gender, citizenship, documents }: Driver): string[] {
  return [
    segment('NM1', driverCode, '1', last_name, first_name),
    segment('DMG', 'D8', date_of_birth?.replaceAll('-', ''), gender === 'X' ? 'U' : gender, '', '', '', citizenship),
    ...documents.map(({ type, number, country, state }) => {
      const { qualifier, words } = documentCodes[type ?? 'other']
      return segment('REF', qualifier, number, [words, country, state].filter(Boolean).join(' '))
    }),
  ]
}

function shipmentSegments(
  emanifest: CompleteEmanifest,
  shipment: Shipment,
  index: number,
  amendment: 'A' | 'R' | null,
): string[] {
  const { carrier_code, port, trailers } = emanifest
  const { control_number, type, shipper, consignee, broker, commodities, in_bond_type, in_bond_number } = shipment
  const { quantity, unit, weight, weightUnit } = totalsOf(commodities)
  const { loadingPortKind, ...border } = customs[emanifest.border]
  // Its 25th element; the blank at its end belongs to it.
  const kindOfPort = loadingPortKind && `${'*'.repeat(13)}${loadingPortKind}`
  const inBond = [in_bond_type, in_bond_number, shipment.destination_port, shipment.foreign_destination_port]
  return [
    segment('LX', index + 1),
    ...(amendment ? [amendmentOf(carrier_code, port, amendment, control_number)] : []),
    segment(
      'M11',
      control_number,
      shipment.loading_port,
      quantity,
      unit,
      weight,
      weightUnits[weightUnit],
      ...Array(5).fill(''),
      carrier_code,
    ) + kindOfPort,
    segment('N9', '8X', type?.toUpperCase()),
    ...partySegments('SH', shipper),
    ...partySegments('CN', consignee),
    ...partySegments('CB', broker),
    ...(type === 'in_bond' ? [segment('M12', ...inBond)] : []),
    ...unitSegments(emanifest, shipment.trailer ?? trailers[0]?.number ?? null),
    ...commodities.flatMap((commodity) => commoditySegments(commodity, border)),
  ]
}

/** What a shipment is in: a trailer with its seals, or the truck itself. */
function unitSegments({ trailers, tractor, is_empty }: CompleteEmanifest, number: string | null): string[] {
  const trailer = trailers.find((one) => one.number === number)
  const load = is_empty ? 'E' : 'L'
  if (!trailer) return [segment('VID', truckCode, '', tractor?.number, ...Array(6).fill(''), load)]
  const seals = trailer.seals.length > 0 ? [segment('M7', ...trailer.seals)] : []
  return [
    segment('VID', equipmentCodes[trailer.kind ?? 'other'], '', trailer.number, ...Array(6).fill(''), load),
    ...seals,
  ]
}

function partySegments(code: string, party: Party | null): string[] {
  if (!party) return []
  const { name, address_1, address_2, city, state, postal, country } = party
  return [
    segment('N1', code, name),
    ...(address_1 ? [segment('N3', address_1, address_2)] : []),
    ...(city ? [segment('N4', city, state, postal, country)] : []),
  ]
}

type Tariff = Pick<(typeof customs)[Border], 'tariffCode' | 'currency'>

function commoditySegments(commodity: Commodity, { tariffCode, currency }: Tariff): string[] {
  const { description, quantity, unit, weight, weight_unit, value, country_of_origin, hs_code, hazardous_code } =
    commodity
  const classified = [hs_code && tariffCode, hs_code]
  // An element of 2 to 8 characters.
  const worth = value === null ? '' : String(value).padStart(2, '0')
  const weighed = [weight_unit && weightUnits[weight_unit], plain(weight)]
  const valued = worth && (commodity.currency_id?.toUpperCase() ?? currency)
  return [
    segment(
      'N10',
      quantity,
      description,
      '',
      ...classified,
      worth,
      ...weighed,
      '',
      unit,
      country_of_origin,
      '',
      valued,
    ),
    ...(hazardous_code ? [segment('H1', hazardous_code)] : []),
  ]
}

const kilogramsOfPound = 0.45359237

/** Of one unit where all goods have the same; else in kilograms, and as packages. */
function totalsOf(commodities: readonly Commodity[]): {
  quantity: number
  unit: string
  weight: string
  weightUnit: WeightUnit
} {
  const [weightUnits, units] = [
    new Set(commodities.map(({ weight_unit }) => weight_unit)),
    new Set(commodities.map(({ unit }) => unit)),
  ]
  const weightUnit: WeightUnit = weightUnits.size === 1 ? (commodities[0]?.weight_unit ?? 'kg') : 'kg'
  const weight = commodities.reduce(
    (sum, one) => sum + (one.weight ?? 0) * (weightUnit === 'kg' && one.weight_unit === 'lb' ? kilogramsOfPound : 1),
    0,
  )
  const quantity = commodities.reduce((sum, one) => sum + (one.quantity ?? 0), 0)
  return {
    quantity,
    unit: (units.size === 1 ? commodities[0]?.unit : null) ?? 'PKG',
    weight: plain(weight),
    weightUnit,
  }
}

/** A number with at most three decimals and ten digits, never with an exponent. */
function plain(number: number | null): string {
  if (number === null) return ''
  const decimals = Math.max(0, Math.min(3, 10 - Math.trunc(number).toString().length))
  const text = number.toFixed(decimals)
  return decimals > 0 ? withoutEnd(withoutEnd(text, '0'), '.') : text
}

/** A segment as it was read. */
function sameAs({ tag, elements }: Segment): string {
  return [tag, ...elements].join('*')
}

function segmentsIn(text: string): readonly Segment[] {
  return readX12(text).flatMap(({ groups }) =>
    groups.flatMap(({ transactions }) => transactions.flatMap(({ segments }) => segments)),
  )
}

/** The shipments of a 309, each with its segments. */
function loopsIn(text: string): Segment[][] {
  return allLoopsIn(text).filter((loop) => loop.some(({ tag }) => tag === 'M11'))
}

/** With those that it only deletes. */
function allLoopsIn(text: string): Segment[][] {
  const loops: Segment[][] = []
  for (const one of segmentsIn(text)) {
    if (one.tag === 'LX') loops.push([])
    loops.at(-1)?.push(one)
  }
  return loops
}

function controlsIn(text: string): string[] {
  return loopsIn(text).flatMap((loop) => loop.find(({ tag }) => tag === 'M11')?.elements[0] ?? [])
}
