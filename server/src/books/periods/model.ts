import Type, { type Static } from 'typebox'
import { conflict, invalid, type Refusal } from '../../platform/core/refusal.ts'
import { changedBetween, Day, Id, nullable, paging, Time } from '../../platform/core/schema/schema.ts'

const starts_on = Day('The first day of the period, in the time zone of the organization.', '2026-10-01')
const ends_on = Day('The last day of the period.', '2026-10-31')
const statuses = ['open', 'closed'] as const
const who = (description: string) => Type.String({ description, examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] })

export const AccountingPeriod = Type.Object(
  {
    id: Id('The period.'),
    org_id: Id('The organization.'),
    starts_on,
    ends_on,
    status: Type.Enum(statuses, {
      description: 'Nothing dated in a closed period can be created or changed.',
      examples: ['closed'],
    }),
    closed_at: nullable(Time('When it was closed; null while it is open.')),
    closed_by: nullable(who('Who closed it: the id of a user, or of an application that acted for itself.')),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [2],
    }),
    created_by: who('Who created it.'),
    created_at: Time('When it was created.'),
    updated_at: Time('When it was last changed.'),
  },
  {
    $id: 'AccountingPeriod',
    description: 'Days whose documents and payments are fixed once it is closed. Periods never overlap.',
  },
)
export type AccountingPeriod = Static<typeof AccountingPeriod>

export const NewAccountingPeriod = Type.Object({ starts_on, ends_on })
export type NewAccountingPeriod = Static<typeof NewAccountingPeriod>

export const AccountingPeriodSearch = Type.Object({
  status_ids: Type.Optional(
    Type.Array(Type.Enum(statuses), {
      maxItems: 10,
      description: 'Keeps the periods that are open, or those that are closed.',
      examples: [['open']],
    }),
  ),
  on: Type.Optional(Day('Keeps the period that this day is in.', '2026-10-15')),
  ...changedBetween,
  ...paging,
})
export type AccountingPeriodSearch = Static<typeof AccountingPeriodSearch>

export const Reopening = Type.Object({
  reason: Type.String({
    minLength: 1,
    maxLength: 1000,
    description: 'Why; it is kept in the event.',
    examples: ['A carrier sent a late invoice'],
  }),
})

export function requireForward({ starts_on, ends_on }: NewAccountingPeriod): void {
  if (ends_on < starts_on)
    throw invalid(
      'ends_on',
      'ends_before_it_starts',
      `"ends_on" is ${ends_on}, which is before "starts_on", ${starts_on}.`,
    )
}

export function periodsOverlap(): Refusal {
  const message = 'Another accounting period has some of these days. Periods never overlap.'
  return conflict('periods_overlap', message, [{ field: 'starts_on', code: 'periods_overlap', message }])
}

export type ClosedDay = { day: string; starts_on: string; ends_on: string }

/** What is dated in a closed period stays as it is. */
export function periodClosed({ day, starts_on, ends_on }: ClosedDay): Refusal {
  const message = `The accounting period from ${starts_on} to ${ends_on} is closed, and ${day} is in it: nothing dated in it can be created, changed, voided or deleted. Use a date in an open period, or have the period reopened.`
  return conflict('period_closed', message)
}
