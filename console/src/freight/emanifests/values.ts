import type { Paths, Schemas } from '@lading/sdk'
import {
  commodityFields,
  documentFields,
  driverFields,
  type FieldOf,
  partyFields,
  shipmentFields,
  tractorFields,
  trailerFields,
} from './fields.ts'

type Emanifest = Schemas['Emanifest']
export type Edit = Paths['/api/v1/emanifests/{emanifestID}']['put']['requestBody']['content']['application/json']

/** A part as a form has it: each field is a text. */
export type Texts = Record<string, string>
export type DriverValues = { fields: Texts; documents: Texts[] }
export type ShipmentValues = {
  order_id: string
  fields: Texts
  shipper: Texts
  consignee: Texts
  broker: Texts
  commodities: Texts[]
}

export type Values = {
  carrier_code: string
  trip_number: string
  port: string
  crossing_at: string
  is_empty: boolean
  driver: DriverValues
  tractor: Texts
  trailers: Texts[]
  shipments: ShipmentValues[]
}

const allShipmentFields = shipmentFields('ace', true)

export function versionOf(emanifest: Emanifest): { revision: number; values: Values } {
  const { revision, carrier_code, trip_number, port, crossing_at, is_empty, driver, tractor, trailers, shipments } =
    emanifest
  return {
    revision,
    values: {
      ...{
        carrier_code: carrier_code ?? '',
        trip_number: trip_number ?? '',
        port: port ?? '',
        crossing_at: crossing_at ? localOf(crossing_at) : '',
        is_empty,
      },
      driver: {
        fields: textsOf(driverFields, driver),
        documents: (driver?.documents ?? []).map((document) => textsOf(documentFields, document)),
      },
      tractor: textsOf(tractorFields, tractor),
      trailers: trailers.map((trailer) => textsOf(trailerFields, { ...trailer, seals: trailer.seals.join(', ') })),
      shipments: shipments.map((shipment) => ({
        order_id: shipment.order_id ?? '',
        fields: textsOf(allShipmentFields, shipment),
        ...{
          shipper: textsOf(partyFields, shipment.shipper),
          consignee: textsOf(partyFields, shipment.consignee),
          broker: textsOf(partyFields, shipment.broker),
        },
        commodities: shipment.commodities.map((commodity) => textsOf(commodityFields, commodity)),
      })),
    },
  }
}

export const newDocument = (): Texts => textsOf(documentFields, null)
export const newTrailer = (): Texts => textsOf(trailerFields, null)
export const newCommodity = (): Texts => ({ ...textsOf(commodityFields, null), unit: 'PCS', weight_unit: 'kg' })
export const newShipment = (): ShipmentValues => ({
  ...{ order_id: '', fields: textsOf(allShipmentFields, null) },
  ...{ shipper: textsOf(partyFields, null), consignee: textsOf(partyFields, null), broker: textsOf(partyFields, null) },
  commodities: [newCommodity()],
})

/** What of the values is sent. */
export function contentOf({
  carrier_code,
  trip_number,
  port,
  crossing_at,
  is_empty,
  driver,
  tractor,
  trailers,
  shipments,
}: Partial<Values>): Edit {
  return {
    ...(carrier_code !== undefined && { carrier_code: carrier_code.trim() || null }),
    ...(trip_number !== undefined && { trip_number: trip_number.trim() || null }),
    ...(port !== undefined && { port: port.trim() || null }),
    ...(crossing_at !== undefined && { crossing_at: crossing_at === '' ? null : new Date(crossing_at).toISOString() }),
    ...(is_empty !== undefined && { is_empty }),
    ...(driver && { driver: driverIn(driver) }),
    ...(tractor && { tractor: partIn(tractorFields, tractor) }),
    ...(trailers && {
      trailers: trailers.map((trailer) => ({
        ...recordIn(trailerFields, trailer),
        seals: sealsIn(trailer.seals ?? ''),
      })),
    }),
    ...(shipments && { shipments: shipments.map(shipmentIn) }),
  } as Edit
}

/** What is wrong and can be known before it is sent. */
export function errorsIn({ shipments }: Values): Record<string, string> {
  const errors: Record<string, string> = {}
  shipments.forEach(({ commodities }, index) => {
    commodities.forEach((commodity, place) => {
      for (const { name } of commodityFields.filter(({ type }) => type === 'number'))
        if (Number.isNaN(numberIn(commodity[name] ?? '')))
          errors[`shipments.${index}.commodities.${place}.${name}`] = 'Enter a number, such as 1200.5.'
    })
  })
  return errors
}

function driverIn({ fields, documents }: DriverValues) {
  const part = recordIn(driverFields, fields)
  const kept = documents.map((document) => recordIn(documentFields, document)).filter((document) => !isBlank(document))
  return isBlank(part) && kept.length === 0 ? null : { ...part, documents: kept }
}

function shipmentIn({ order_id, fields, shipper, consignee, broker, commodities }: ShipmentValues) {
  return {
    order_id: order_id || null,
    ...recordIn(allShipmentFields, fields),
    ...{
      shipper: partIn(partyFields, shipper),
      consignee: partIn(partyFields, consignee),
      broker: partIn(partyFields, broker),
    },
    commodities: commodities.map((commodity) => recordIn(commodityFields, commodity)),
  }
}

function partIn(fields: readonly FieldOf[], texts: Texts): Record<string, unknown> | null {
  const part = recordIn(fields, texts)
  return isBlank(part) ? null : part
}

function recordIn(fields: readonly FieldOf[], texts: Texts): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ name, type }) => {
      const text = (texts[name] ?? '').trim()
      return [name, text === '' ? null : type === 'number' ? numberIn(text) : text]
    }),
  )
}

function isBlank(part: Record<string, unknown>): boolean {
  return Object.values(part).every((value) => value === null)
}

function numberIn(text: string): number | null {
  return text.trim() === '' ? null : Number(text.trim())
}

function sealsIn(text: string): string[] {
  return text
    .split(/[,;\s]+/)
    .map((seal) => seal.trim())
    .filter(Boolean)
}

function textsOf(fields: readonly FieldOf[], part: object | null | undefined): Texts {
  return Object.fromEntries(
    fields.map(({ name }) => [name, textOf((part as Record<string, unknown> | null | undefined)?.[name])]),
  )
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

/** A moment in the form of an input for a date and a time, in the time zone of the browser. */
function localOf(moment: string): string {
  const at = new Date(moment)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}
