import { scopeOf } from '../../platform/access/kind-scopes.ts'
import { defaultStatuses, defaultWidgets, type Kind } from './kind.ts'

export const contact: Kind = {
  objectKey: 'contact',
  name: 'Contact',
  plural: 'Contacts',
  prefix: 'CON',
  description: 'A person at a customer or partner.',
  scope: scopeOf('contact'),
  statuses: defaultStatuses,
  widgets: defaultWidgets,
  fields: [
    {
      key: 'name',
      name: 'Name',
      type: 'text',
      required: true,
      description: 'What the person is called.',
      example: 'Dana Reyes',
    },
    {
      key: 'customerId',
      name: 'Customer',
      type: 'reference',
      objectKey: 'customer',
      description: 'The customer they work for.',
    },
    {
      key: 'partnerId',
      name: 'Partner',
      type: 'reference',
      objectKey: 'partner',
      description: 'The partner they work for.',
    },
    { key: 'jobTitle', name: 'Job title', type: 'text', example: 'Shipping manager' },
    { key: 'email', name: 'E-mail', type: 'email', example: 'dana@acmefoods.example' },
    { key: 'phone', name: 'Phone', type: 'text', example: '+1 510 555 0117' },
    { key: 'mobile', name: 'Mobile', type: 'text', example: '+1 510 555 0118' },
    { key: 'language', name: 'Language', type: 'text', example: 'en' },
    {
      key: 'notify',
      name: 'Notified of',
      type: 'multi-select',
      options: ['pickup', 'delivery', 'delay', 'invoice'],
      example: ['delivery', 'delay'],
    },
    { key: 'notes', name: 'Notes', type: 'text' },
  ],
}
