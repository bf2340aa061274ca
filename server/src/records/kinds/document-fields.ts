import type { Field, Item } from './kind.ts'

/** The states of a bill or an invoice; a test of freight compares them with those of books, on which no kind depends. */
const documentStatuses = ['draft', 'saved', 'sent', 'edited', 'paid']

/** What an object shows of the document that was made from it: its id, its state and its number. */
export function documentFields(noun: 'bill' | 'invoice', prefix: string, description: string): readonly Field[] {
  const name = noun === 'bill' ? 'Bill' : 'Invoice'
  return [
    {
      key: `${noun}Id`,
      name,
      type: 'text',
      format: 'id',
      description,
      example: '01932b5e-7a10-7f7e-8a53-6c1d2e3f4a5c',
    },
    {
      key: `${noun}StatusId`,
      name: `${name} status`,
      type: 'select',
      options: documentStatuses,
      description: `The state of that ${noun}.`,
      example: 'draft',
    },
    {
      key: `${noun}Number`,
      name: `${name} number`,
      type: 'text',
      description: `The number people read; given when the ${noun} is saved.`,
      example: `${prefix}-000123`,
    },
  ]
}

/** What is paid for or charged, piece by piece. */
export const pricedItems: Item = {
  fields: [
    {
      key: 'id',
      name: 'Id',
      type: 'text',
      format: 'id',
      description: 'A UUID; made by the server where none is sent. It stays with the item.',
      example: '01932b5e-7a10-7f7e-8a53-6c1d2e3f4a5b',
    },
    {
      key: 'type',
      name: 'Type',
      type: 'text',
      required: true,
      description: 'A bill item type: its name, or its id.',
      example: 'Line haul',
    },
    { key: 'description', name: 'Description', type: 'text', example: 'Oakland to Seattle' },
    { key: 'unitPrice', name: 'Unit price', type: 'money', required: true, example: 185000 },
    { key: 'quantity', name: 'Quantity', type: 'integer', example: 1 },
  ],
}
