import type { Context } from '../../platform/context.ts'
import { zoneOfPlace } from '../../platform/core/places/place-zones.ts'
import { spanText } from '../../platform/core/places/time-words.ts'
import type { Paper } from '../../platform/drawing/paper.ts'
import { freightOf, stopsOfLoad } from '../loads/model.ts'
import { distanceText, windowText } from '../loads/words.ts'
import type { Stop } from '../stops/itinerary/model.ts'
import { zoneOf } from '../stops/itinerary/zones.ts'
import { digitsOf } from './documents.ts'
import { blank, fromOrganization, knownFacts } from './from.ts'
import { findSurroundings } from './store.ts'
import { addressLines, amountText, moneyText } from './words.ts'

type Json = Record<string, unknown>
type Item = { type: string; description?: string | null; unitPrice: number; quantity?: number | null }

/** What a carrier agrees to: where it goes, when, and what is paid for it. From a manifest as v2 has it. */
export async function rateConfirmationPaper(ctx: Context, manifest: Json): Promise<Paper> {
  const orderIds = listOf<string>(manifest.orderIds)
  const partner = manifest.partnerId as string | null
  const around = await findSurroundings(ctx, [partner, ...orderIds])
  const orders = orderIds.flatMap((id) =>
    around.objects[id] ? [{ id, full_id: '', json: around.objects[id].json }] : [],
  )
  const load = { manifest, orders, unit: null, settings: around.organization }
  const freight = freightOf(load)
  const stops = stopsOfLoad(load)
  const carrier = partner ? around.objects[partner] : undefined
  const currency = (manifest.currency ?? carrier?.json.currency ?? null) as string | null
  const digits = digitsOf(around, currency)
  const items = listOf<Item>(manifest.paymentItems)
  const total = items.reduce((sum, item) => sum + item.unitPrice * (item.quantity ?? 1), 0)
  return {
    ...blank,
    ...fromOrganization(around),
    title: 'Rate confirmation',
    number: (manifest.referenceNumber ?? manifest.fullId ?? null) as string | null,
    mark: manifest.status === 'cancelled' ? 'CANCELLED' : null,
    parties: [
      {
        label: 'Carrier',
        lines: addressLines((carrier?.json ?? null) as Json | null, carrier?.name ?? 'Not assigned yet'),
      },
      { label: 'Pick up', lines: [...addressLines(freight.start), windowText(freight.pickup_window)].filter(Boolean) },
      { label: 'Deliver', lines: [...addressLines(freight.end), windowText(freight.delivery_window)].filter(Boolean) },
    ].filter(({ lines }) => lines.length > 0),
    facts: knownFacts([
      ['Driver', manifest.driverName as string | null],
      ['Phone', manifest.driverPhone as string | null],
      ['Distance', distanceText(freight) || null],
      ['Equipment', freight.equipment_types.map(wordsOf).join(', ') || null],
      ['Terms', manifest.payTerm as string | null],
    ]),
    tables: [
      ...(stops.length > 0
        ? [
            {
              label: 'Stops',
              columns: stopColumns,
              rows: stops.map((stop) => stopRow(stop, around.organization.time_zone)),
            },
          ]
        : []),
      ...(orders.length > 0
        ? [{ label: 'Freight', columns: freightColumns, rows: orders.map(({ json }) => freightRow(json)) }]
        : []),
      {
        label: 'Pay',
        columns: [
          { label: 'What for', share: 5 },
          { label: 'Quantity', share: 1.2, align: 'right' },
          { label: 'Rate', share: 2, align: 'right' },
          { label: 'Amount', share: 2, align: 'right' },
        ],
        rows: items.map((item) => [
          [item.type, item.description].filter(Boolean).join('\n'),
          String(item.quantity ?? 1),
          amountText(item.unitPrice, digits),
          amountText(item.unitPrice * (item.quantity ?? 1), digits),
        ]),
      },
    ],
    totals: [{ label: 'Total pay', value: moneyText(total, currency, digits), strong: true }],
    notes: manifest.notes ? [{ label: 'Instructions', text: manifest.notes as string }] : [],
    signatures: ['Carrier: name and signature', 'Date'],
    date: new Date(manifest.updatedAt as string),
  }
}

/** What goes with the freight of an order, and is signed where it is picked up and delivered. */
export async function billOfLadingPaper(ctx: Context, order: Json): Promise<Paper> {
  const customer = order.customerId as string | null
  const around = await findSurroundings(ctx, [customer])
  const { time_zone } = around.organization
  return {
    ...blank,
    ...fromOrganization(around),
    title: 'Bill of lading',
    number: (order.fullId ?? order.referenceNumber ?? null) as string | null,
    mark: order.status === 'cancelled' ? 'CANCELLED' : null,
    parties: [
      { label: 'Shipper', lines: addressLines(order.pickup as Json | null) },
      { label: 'Consignee', lines: addressLines(order.delivery as Json | null) },
      {
        label: 'Freight charges to',
        lines: customer ? addressLines(around.objects[customer]?.json, around.objects[customer]?.name) : [],
      },
    ].filter(({ lines }) => lines.length > 0),
    facts: knownFacts([
      ['Reference', order.referenceNumber as string | null],
      ['Pick up', spanText(order.pickupAt, order.pickupBy, zoneOfPlace(order.pickup) ?? time_zone)],
      ['Deliver', spanText(order.deliverAt, order.deliverBy, zoneOfPlace(order.delivery) ?? time_zone)],
      ['Equipment', wordsOf(order.equipmentType)],
      ['Temperature', typeof order.temperature === 'number' ? `${order.temperature} °C` : null],
    ]),
    tables: [{ columns: freightColumns, rows: [freightRow(order)] }],
    notes: order.notes ? [{ label: 'Instructions', text: order.notes as string }] : [],
    signatures: ['Shipper: signature and date', 'Carrier: signature and date', 'Consignee: signature and date'],
    date: new Date(order.updatedAt as string),
  }
}

const stopColumns = [
  { label: 'Stop', share: 1.6 },
  { label: 'Place', share: 4 },
  { label: 'Window', share: 3.4 },
  { label: 'References', share: 2 },
]

/** Its times are those of the clock on its wall. */
function stopRow(stop: Stop, timeZone: string): string[] {
  return [
    `${stop.sequence}. ${stop.kind}`,
    addressLines(stop.address).join(', '),
    spanText(stop.windowStart, stop.windowEnd, zoneOf(stop, timeZone)),
    listOf<string>(stop.referenceNumbers).join(', '),
  ]
}

const freightColumns = [
  { label: 'Reference', share: 2 },
  { label: 'Commodity', share: 4 },
  { label: 'Pieces', share: 1.2, align: 'right' as const },
  { label: 'Weight', share: 1.8, align: 'right' as const },
  { label: 'Volume', share: 1.4, align: 'right' as const },
  { label: 'Hazardous', share: 1.4, align: 'right' as const },
]

function freightRow(order: Json): string[] {
  const number = (value: unknown, unit: string) =>
    typeof value === 'number' ? `${value.toLocaleString('en-US')} ${unit}`.trim() : ''
  return [
    (order.referenceNumber as string | null) ?? '',
    (order.commodity as string | null) ?? 'Freight',
    number(order.pieces, ''),
    number(order.weight, (order.weightUnit as string | null) ?? ''),
    number(order.volume, 'm³'),
    order.hazardous === true ? 'Yes' : 'No',
  ]
}

function wordsOf(value: unknown): string | null {
  return typeof value === 'string' ? value.replaceAll('_', ' ') : null
}

/** An organization may have a field of its own by the name of a list. */
function listOf<T>(value: unknown): T[] {
  return Array.isArray(value) ? value : []
}
