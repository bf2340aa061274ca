import Type, { type TObject } from 'typebox'
import { Moment } from '../../../core/schema.ts'
import type { Move } from './lifecycle.ts'

const time = (description: string) => Type.Optional(Moment(description, '2026-11-15T09:30:00.000Z'))

/** The bodies of the named moves, which statements have too. */
export const moveBodies = (reasonExample: string): Record<Move, TObject> => ({
  save: Type.Object({}),
  send: Type.Object({ sent_at: time('When it was sent; now unless said.') }),
  pay: Type.Object({ paid_at: time('When it was paid; now unless said.') }),
  reopen: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Why.', examples: [reasonExample] }) }),
})
