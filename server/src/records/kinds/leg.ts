import { scopeOf } from '../../platform/access/kind-scopes.ts'
import { defaultWidgets, type Kind } from './kind.ts'

export const leg: Kind = {
  objectKey: 'leg',
  name: 'Leg',
  plural: 'Legs',
  prefix: 'LEG',
  description: 'A part of a trip, from one stop to the next.',
  scope: scopeOf('leg'),
  statuses: ['active', 'planned', 'in_transit', 'completed', 'cancelled', 'inactive'],
  widgets: defaultWidgets,
  fields: [
    {
      key: 'manifestId',
      name: 'Manifest',
      type: 'reference',
      objectKey: 'manifest',
      description: 'The trip it is part of.',
    },
    { key: 'orderId', name: 'Order', type: 'reference', objectKey: 'order', description: 'The order it moves.' },
    { key: 'sequence', name: 'Sequence', type: 'integer', description: 'Its place in the trip.', example: 1 },
    {
      key: 'legType',
      name: 'Type',
      type: 'select',
      options: ['pickup', 'line_haul', 'transfer', 'delivery', 'empty'],
      example: 'line_haul',
    },
    { key: 'origin', name: 'Origin', type: 'address' },
    { key: 'departAt', name: 'Departs', type: 'date-time', example: '2026-11-16T09:30:00Z' },
    { key: 'destination', name: 'Destination', type: 'address' },
    { key: 'arriveAt', name: 'Arrives', type: 'date-time', example: '2026-11-17T18:00:00Z' },
    { key: 'distance', name: 'Distance', type: 'number', description: 'In kilometres.', example: 640.2 },
    { key: 'notes', name: 'Notes', type: 'text' },
  ],
}
