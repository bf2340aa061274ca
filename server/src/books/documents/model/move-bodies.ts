import Type, { type TObject } from 'typebox'
import { named } from '../../../platform/core/schema/names.ts'
import { EmptyBody, Moment, nullable } from '../../../platform/core/schema/schema.ts'
import { MailBody } from '../../../platform/mail/model.ts'
import { Amount } from './fields/amount.ts'
import type { Move } from './fields/lifecycle.ts'
import { paymentMethods } from './kind/paying.ts'

const time = (description: string) => Type.Optional(Moment(description, '2026-11-15T09:30:00.000Z'))

const paidWith = {
  method: Type.Optional(
    Type.Enum(paymentMethods, { description: 'How it was paid; `recorded` unless said.', examples: ['recorded'] }),
  ),
  reference_number: Type.Optional(
    nullable(
      Type.String({ maxLength: 255, description: 'The number that the payment is known by.', examples: ['CHK-2041'] }),
    ),
  ),
}

/** The body of voiding and of correcting says why. */
export const voidBody = (example: string) =>
  Type.Object({ reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Why.', examples: [example] }) })

/** What a document can be paid with, where only a part of it is paid. */
export const PartOfIt = Type.Object({
  amount: Type.Optional(Amount('Pays this much of it; all that is due unless said.', 60000)),
})

/** What paying and reopening ask of a caller: both change what was paid. */
export function rightOfMove(move: Move): { right?: 'pay' } {
  return move === 'pay' || move === 'reopen' ? { right: 'pay' } : {}
}

/** The bodies of the named moves, which statements have too. */
export const moveBodies = (reasonExample: string): Record<Move, TObject> => ({
  save: EmptyBody,
  send: named('SendDocument', Type.Object({ sent_at: time('When it was sent; now unless said.'), ...MailBody })),
  pay: Type.Object({ paid_at: time('When it was paid; now unless said.'), ...paidWith }),
  reopen: Type.Object({
    reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Why.', examples: [reasonExample] }),
  }),
})
