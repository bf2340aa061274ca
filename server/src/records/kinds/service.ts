import { scopeOf } from '../../platform/access/kind-scopes.ts'
import { defaultStatuses, defaultWidgets, type Kind } from './kind.ts'

export const service: Kind = {
  objectKey: 'service',
  name: 'Service',
  plural: 'Services',
  prefix: 'SVC',
  description: 'Something that is sold: a kind of transport, an accessorial.',
  scope: scopeOf('service'),
  statuses: defaultStatuses,
  widgets: defaultWidgets,
  fields: [
    {
      key: 'name',
      name: 'Name',
      type: 'text',
      required: true,
      description: 'What the service is called.',
      example: 'Temperature-controlled truckload',
    },
    { key: 'code', name: 'Code', type: 'text', example: 'TL-REEFER' },
    { key: 'description', name: 'Description', type: 'text', example: 'Full truckload, −25 to +25 °C' },
    {
      key: 'serviceType',
      name: 'Type',
      type: 'select',
      options: ['truckload', 'less_than_truckload', 'intermodal', 'drayage', 'parcel', 'warehousing', 'accessorial'],
      example: 'truckload',
    },
    { key: 'transitDays', name: 'Transit days', type: 'integer', example: 2 },
    { key: 'currency', name: 'Currency', type: 'text', format: 'currency', example: 'usd' },
    { key: 'price', name: 'Price', type: 'money', description: 'In the minor unit of the currency.', example: 125000 },
    { key: 'taxable', name: 'Taxable', type: 'boolean', example: true },
  ],
}
