import { scopeOf } from '../../platform/access/kind-scopes.ts'
import type { Kind } from './kind.ts'
import { haul } from './order.ts'

export const quote: Kind = {
  objectKey: 'quote',
  name: 'Quote',
  plural: 'Quotes',
  prefix: 'QUO',
  description: 'A price offered to a customer for moving freight.',
  scope: scopeOf('quote'),
  statuses: ['active', 'sent', 'accepted', 'declined', 'expired', 'inactive'],
  title: 'referenceNumber',
  widgets: [
    { key: 'details', name: 'Details', version: 1 },
    { key: 'history', name: 'History', version: 1 },
  ],
  fields: [
    ...haul,
    { key: 'validUntil', name: 'Valid until', type: 'date', example: '2026-12-15' },
    { key: 'notes', name: 'Notes', type: 'text', example: 'Fuel surcharge included' },
  ],
}
