import type { Field } from './kind.ts'

/** The fields that objects of every kind can have; no kind can define them otherwise. */
export const sharedFields: readonly Field[] = [
  { key: 'name', name: 'Name', type: 'text' },
  { key: 'etaDelayNotifyEnabled', name: 'ETA delay notification', type: 'boolean' },
  { key: 'etaDelayNotifyLabel', name: 'Label of the ETA delay notification', type: 'text' },
  {
    key: 'boardId',
    name: 'Board',
    type: 'text',
    format: 'id',
    description: 'The board it was created on, as its client sent it; any UUID, whether or not there is such a board.',
    example: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e17',
  },
]
