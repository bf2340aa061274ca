import Type, { type TSchema } from 'typebox'
import { conflict } from '../../platform/core/refusal.ts'
import { Id, ignoredInBodies, Moment, nullable, Text } from '../../platform/core/schema/schema.ts'
import { toWire } from '../../platform/core/values/dates.ts'
import {
  type ContentOf,
  contentIn,
  type Fields,
  isContent,
  namesOf,
  type RecordOf,
} from '../documents/model/fields/fields.ts'
import { type Status, statuses } from '../documents/model/fields/lifecycle.ts'
import { conclude, dueAfter, type EditResult } from '../documents/model/kind/conclude.ts'
import { content, statementFields } from './fields.ts'

export const ConsolidatedBill = Type.Object(
  schemasIn(statementFields, ({ schema }) => schema),
  {
    $id: 'ConsolidatedBill',
    description: 'A statement that gathers bills of one payee in one currency over a pay period.',
  },
)
export type ConsolidatedBill = RecordOf<typeof statementFields>

/** Not the client's to set, and what stands around a statement in an answer: what was read can be sent back all the same. */
const ignored = [...namesOf(statementFields, 'server'), 'bills', 'pay_term', 'currency_info']

export const ConsolidatedBillEdit = Type.Object(
  {
    ...schemasIn(content, ({ sent }) => Type.Optional(sent)),
    sent_at: Type.Optional(nullable(Moment('Applied when it is, or becomes, sent.', '2026-11-15T09:30:00.000Z'))),
    paid_at: Type.Optional(
      nullable(
        Moment(
          'Applied when it becomes paid. Another time than was recorded of what is paid is a 409 `already_paid`.',
          '2026-11-15T09:30:00.000Z',
        ),
      ),
    ),
    status_id: Type.Optional(Type.Enum(statuses, { description: 'Asks for a move.', examples: ['saved'] })),
    reason: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Needed to reopen what is paid.', examples: ['Corrected'] }),
    ),
    ...Object.fromEntries(ignored.map((name) => [name, Type.Optional(ignoredInBodies)])),
  },
  { examples: [{ reference_number: 'STM-2026-45', due_date: '2026-12-15T00:00:00.000Z', notes: 'Weekly settlement' }] },
)
export type ConsolidatedBillEdit = Partial<ContentOf<typeof content>> & {
  status_id?: Status
  reason?: string
  sent_at?: string | null
  paid_at?: string | null
}

export const NewConsolidatedBill = Type.Object(
  {
    ...schemasIn(content, ({ sent }) => Type.Optional(sent)),
    external_id: Type.Optional(nullable(Text('The id it has elsewhere.', 'SET-4410'))),
    bill_ids: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        minItems: 1,
        maxItems: 1000,
        description: 'The bills to gather. Or leave this out, and name a payee and a period.',
        examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
      }),
    ),
    partner_carrier_id: Type.Optional(nullable(Id('The payee whose bills are gathered, without bill_ids.'))),
    currency_id: Type.Optional(
      Type.String({
        maxLength: 3,
        description: 'The currency, where the payee has bills in several.',
        examples: ['usd'],
      }),
    ),
  },
  {
    examples: [
      {
        bill_ids: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
        pay_period_start: '2026-11-01',
        pay_period_end: '2026-11-15',
        notes: 'Weekly settlement',
      },
    ],
  },
)
export type NewConsolidatedBill = Partial<ContentOf<typeof content>> & {
  external_id?: string | null
  bill_ids?: string[]
  partner_carrier_id?: string | null
  currency_id?: string
}

export const BillList = Type.Object({
  bill_ids: Type.Array(Type.String({ format: 'uuid' }), {
    minItems: 1,
    maxItems: 1000,
    description: 'The bills.',
    examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
  }),
})

type Facts = { now: Date; payTermDays: number | null }

export function edit(
  current: ConsolidatedBill,
  input: ConsolidatedBillEdit,
  { now, payTermDays }: Facts,
): EditResult<ConsolidatedBill> {
  const changed = { ...current, ...contentIn(content, current, input) }
  const completed = (statement: ConsolidatedBill) => completion(statement, now, payTermDays)
  const edited = conclude(current, changed, input, { now, noun: 'statement', isContent: isContent(content), completed })
  return { ...edited, ignored: [...ignored.filter((name) => name in input), ...edited.ignored] }
}

/** What has a number must not disappear, and what is no draft is under way. */
export function requireDeletable({ status_id, number }: ConsolidatedBill): void {
  if (status_id !== 'draft')
    throw conflict('not_a_draft', `Only drafts can be deleted, and this statement is ${status_id}.`)
  if (number !== null)
    throw conflict(
      'has_number',
      `This statement has the number ${number}, which must not disappear. Void it instead, with a reason.`,
    )
}

export function requireVoidable({ status_id, number }: ConsolidatedBill): void {
  if (number === null) throw conflict('is_draft', 'This statement is a draft and has no number yet. Delete it instead.')
  if (status_id === 'paid')
    throw conflict(
      'has_payments',
      'This statement is paid, and its bills with it. Reopen it first, with a reason, and void it then.',
    )
}

/** What saving a draft requires and adds. */
function completion(statement: ConsolidatedBill, now: Date, payTermDays: number | null): Partial<ConsolidatedBill> {
  if (statement.bill_count === 0)
    throw conflict('no_bills', 'A statement needs at least one bill before it can be saved.')
  const bill_date = statement.bill_date ?? toWire(now)
  return {
    bill_date,
    due_date: statement.due_date ?? (payTermDays === null ? null : dueAfter(bill_date, payTermDays, 'bill_date')),
  }
}

function schemasIn(fields: Fields, schema: (field: Fields[string]) => TSchema): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schema(field)]))
}
