import { pricedItems } from './document-fields.ts'
import type { Field, Item } from './kind.ts'

export const stopKinds = ['pickup', 'delivery', 'border', 'other'] as const

const reported = 'Set by reporting it, or by hand.'

const entry: readonly Field[] = [
  {
    key: 'id',
    name: 'Id',
    type: 'text',
    format: 'id',
    description: 'A UUID; made by the server where none is sent. It stays with the stop.',
    example: '01932b5e-7a10-7f7e-8a53-6c1d2e3f4a5d',
  },
  {
    key: 'sequence',
    name: 'Sequence',
    type: 'integer',
    description: 'Its place on the way. The list is in this order; a stop without one comes where it was sent.',
    example: 1,
  },
  {
    key: 'kind',
    name: 'Kind',
    type: 'select',
    options: stopKinds,
    required: true,
    description: 'What happens there.',
    example: 'pickup',
  },
  {
    key: 'address',
    name: 'Address',
    type: 'address',
    description: 'Where it is. With coordinates it has a marker and counts in arrival times.',
  },
  {
    key: 'timeZone',
    name: 'Time zone',
    type: 'text',
    format: 'time-zone',
    description:
      'The time zone of the place, by its name in the IANA database: people read and type the times of the stop in it; on the wire times are UTC. Where none is sent it is that of the country, state and postal code of the address (of a state with several zones the one of most of its people, but for towns known to have another), and of the organization where these do not tell it. It follows the address while nobody chose another.',
    example: 'America/Los_Angeles',
  },
  {
    key: 'windowStart',
    name: 'Window from',
    type: 'date-time',
    description: 'From when it can be served.',
    example: '2026-11-16T08:00:00Z',
  },
  {
    key: 'windowEnd',
    name: 'Window until',
    type: 'date-time',
    description: 'Until when it is expected; later is a delay.',
    example: '2026-11-16T12:00:00Z',
  },
  {
    key: 'arrivedAt',
    name: 'Arrived',
    type: 'date-time',
    description: `When the vehicle arrived. ${reported}`,
    example: '2026-11-16T08:20:00Z',
  },
  {
    key: 'departedAt',
    name: 'Departed',
    type: 'date-time',
    description: `When the vehicle departed. ${reported}`,
    example: '2026-11-16T09:35:00Z',
  },
  {
    key: 'referenceNumbers',
    name: 'Reference numbers',
    type: 'list',
    items: { type: 'text' },
    description: 'Numbers to name at the gate, such as an appointment or a purchase order.',
    example: ['PO-77120'],
  },
]

const orderId: Field = {
  key: 'orderId',
  name: 'Order',
  type: 'reference',
  objectKey: 'order',
  description: 'Whose freight it is for; of all orders without one.',
}

export const stopsOfOrder: Field = {
  key: 'stops',
  name: 'Stops',
  type: 'list',
  description: 'Where it is picked up and delivered, if that is more than one pickup and one delivery.',
  items: { fields: entry, markerKind: 'kind' },
}

export const stopsOfManifest: Field = {
  key: 'stops',
  name: 'Stops',
  type: 'list',
  description: 'Where it stops on the way, in order.',
  items: { fields: [...entry, orderId], markerKind: 'kind' },
}

/** What the entries of lists of records are called in the OpenAPI document. */
export const entryNames: ReadonlyMap<Item, string> = new Map([
  [pricedItems, 'Charge'],
  [stopsOfOrder.items as Item, 'OrderStop'],
  [stopsOfManifest.items as Item, 'ManifestStop'],
])
