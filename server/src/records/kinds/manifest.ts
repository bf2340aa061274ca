import { scopeOf } from '../../platform/access/kind-scopes.ts'
import { documentFields, pricedItems } from './document-fields.ts'
import type { Kind } from './kind.ts'
import { stopsOfManifest } from './stops.ts'

export const manifest: Kind = {
  objectKey: 'manifest',
  name: 'Manifest',
  plural: 'Manifests',
  prefix: 'MAN',
  description: 'A trip that a carrier or driver makes, with what is paid for it.',
  scope: scopeOf('manifest'),
  statuses: ['active', 'planned', 'dispatched', 'in_transit', 'completed', 'cancelled', 'inactive'],
  title: 'referenceNumber',
  widgets: [
    { key: 'details', name: 'Details', version: 1 },
    { key: 'legs', name: 'Legs', version: 1 },
    { key: 'payments', name: 'Payments', version: 1 },
    { key: 'history', name: 'History', version: 1 },
  ],
  fields: [
    {
      key: 'partnerId',
      name: 'Carrier',
      type: 'reference',
      objectKey: 'partner',
      description: 'Who drives it and is paid for it.',
    },
    { key: 'referenceNumber', name: 'Reference number', type: 'text', example: 'TRIP-5521' },
    { key: 'driverName', name: 'Driver', type: 'text', example: 'Sam Ortiz' },
    { key: 'driverPhone', name: 'Driver’s phone', type: 'text', example: '+1 206 555 0199' },
    { key: 'equipmentId', name: 'Equipment', type: 'reference', objectKey: 'equipment' },
    {
      key: 'orderIds',
      name: 'Orders',
      type: 'list',
      items: { type: 'reference', objectKey: 'order' },
      description: 'The orders it carries.',
    },
    stopsOfManifest,
    { key: 'start', name: 'Start', type: 'address' },
    { key: 'startAt', name: 'Starts', type: 'date-time', example: '2026-11-16T06:00:00Z' },
    { key: 'end', name: 'End', type: 'address' },
    { key: 'endAt', name: 'Ends', type: 'date-time', example: '2026-11-18T20:00:00Z' },
    { key: 'distance', name: 'Distance', type: 'number', description: 'In kilometres.', example: 1301.4 },
    {
      key: 'currency',
      name: 'Currency',
      type: 'text',
      format: 'currency',
      description: 'What the payment items are in.',
      example: 'usd',
    },
    { key: 'payTerm', name: 'Pay term', type: 'text', example: 'Net 15' },
    {
      key: 'paymentItems',
      name: 'Payment items',
      type: 'list',
      description: 'What the carrier is paid for.',
      items: pricedItems,
    },
    { key: 'notes', name: 'Notes', type: 'text' },
  ],
  // freight/ says where these are read from.
  readOnlyFields: documentFields(
    'bill',
    'BILL',
    'The bill that pays for it; made by POST …/bill of v1, null while there is none.',
  ),
}
