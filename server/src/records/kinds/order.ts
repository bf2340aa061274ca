import { scopeOf } from '../../platform/access/kind-scopes.ts'
import { documentFields, pricedItems } from './document-fields.ts'
import type { Field, Kind } from './kind.ts'
import { stopsOfOrder } from './stops.ts'

/** What an order and the quote before it have in common. */
export const haul: readonly Field[] = [
  {
    key: 'customerId',
    name: 'Customer',
    type: 'reference',
    objectKey: 'customer',
    required: true,
    description: 'Whom it is for.',
    example: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15',
  },
  {
    key: 'referenceNumber',
    name: 'Reference number',
    type: 'text',
    description: 'The number the customer knows it by.',
    example: 'PO-77120',
  },
  {
    key: 'pickup',
    name: 'Pickup',
    type: 'address',
    description: 'Where it is picked up.',
    example: {
      companyName: 'Acme Foods',
      address1: '1200 Harbor Way',
      city: 'Oakland',
      state: 'CA',
      postal: '94607',
      country: 'US',
      latitude: 37.7955,
      longitude: -122.2791,
    },
  },
  { key: 'pickupAt', name: 'Pickup from', type: 'date-time', example: '2026-11-16T08:00:00Z' },
  { key: 'pickupBy', name: 'Pickup until', type: 'date-time', example: '2026-11-16T12:00:00Z' },
  {
    key: 'delivery',
    name: 'Delivery',
    type: 'address',
    description: 'Where it is delivered.',
    example: {
      companyName: 'Northside Grocers',
      address1: '410 Pine St',
      city: 'Seattle',
      state: 'WA',
      postal: '98101',
      country: 'US',
    },
  },
  { key: 'deliverAt', name: 'Delivery from', type: 'date-time', example: '2026-11-18T08:00:00Z' },
  { key: 'deliverBy', name: 'Delivery until', type: 'date-time', example: '2026-11-18T17:00:00Z' },
  { key: 'commodity', name: 'Commodity', type: 'text', example: 'Frozen vegetables' },
  { key: 'pieces', name: 'Pieces', type: 'integer', example: 22 },
  { key: 'weight', name: 'Weight', type: 'number', example: 18400 },
  { key: 'weightUnit', name: 'Weight unit', type: 'select', options: ['lb', 'kg'], example: 'kg' },
  { key: 'volume', name: 'Volume', type: 'number', description: 'In cubic metres.', example: 61.5 },
  {
    key: 'equipmentType',
    name: 'Equipment',
    type: 'select',
    options: ['dry_van', 'reefer', 'flatbed', 'step_deck', 'tanker', 'container', 'box_truck'],
    example: 'reefer',
  },
  { key: 'temperature', name: 'Temperature', type: 'number', description: 'In degrees Celsius.', example: -18 },
  { key: 'hazardous', name: 'Hazardous', type: 'boolean', example: false },
  { key: 'currency', name: 'Currency', type: 'text', format: 'currency', example: 'usd' },
  {
    key: 'rate',
    name: 'Rate',
    type: 'money',
    description: 'What the customer pays, in the minor unit of the currency.',
    example: 285000,
  },
]

export const order: Kind = {
  objectKey: 'order',
  name: 'Order',
  plural: 'Orders',
  prefix: 'ORD',
  description: 'Freight to be moved for a customer.',
  scope: scopeOf('order'),
  statuses: ['active', 'planned', 'in_transit', 'delivered', 'invoiced', 'cancelled', 'inactive'],
  title: 'referenceNumber',
  widgets: [
    { key: 'details', name: 'Details', version: 1 },
    { key: 'stops', name: 'Stops', version: 1 },
    { key: 'manifests', name: 'Manifests', version: 1 },
    { key: 'history', name: 'History', version: 1 },
  ],
  fields: [
    ...haul,
    stopsOfOrder,
    {
      key: 'charges',
      name: 'Charges',
      type: 'list',
      description: 'What the customer pays on top of the rate, such as detention or a lumper.',
      items: pricedItems,
    },
    {
      key: 'quoteId',
      name: 'Quote',
      type: 'reference',
      objectKey: 'quote',
      description: 'The quote it was made from.',
    },
    { key: 'serviceId', name: 'Service', type: 'reference', objectKey: 'service' },
    { key: 'notes', name: 'Notes', type: 'text', example: 'Call before delivery' },
  ],
  // freight/ says where these are read from.
  readOnlyFields: documentFields(
    'invoice',
    'INV',
    'The invoice that charges for it; made by POST …/invoice of v1, null while there is none.',
  ),
}
