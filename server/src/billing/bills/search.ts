import Type, { type Static } from 'typebox'
import { parseDate } from '../../core/dates.ts'
import { paging } from '../../core/schema.ts'
import { join, type Statement, sql, when } from '../../db/sql.ts'
import { statuses } from '../lifecycle.ts'
import { Amount } from '../schemas.ts'

const at = (description: string) =>
  Type.Optional(
    Type.String({ format: 'date-time', description: `${description} Inclusive; a bare date means the whole day.`, examples: ['2026-11-01T00:00:00Z'] }),
  )
const ids = (description: string) =>
  Type.Optional(Type.Array(Type.String({ format: 'uuid' }), { maxItems: 500, description, examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']] }))

const sortable = {
  created_at: { of: sql`b.created_at`, nullable: false },
  updated_at: { of: sql`b.updated_at`, nullable: false },
  due_date: { of: sql`b.due_date`, nullable: true },
  bill_date: { of: sql`b.bill_date`, nullable: true },
  total_amount: { of: sql`b.total_amount`, nullable: false },
  number: { of: sql`b.number`, nullable: true },
}
const sorts = Object.keys(sortable).flatMap((name) => [name, `-${name}`])

export const BillSearch = Type.Object({
  in_manifest_ids: ids('Keeps the bills that have a line paying one of these manifests, or whose master trip is one of them.'),
  status_ids: Type.Optional(
    Type.Array(Type.Enum(statuses), { maxItems: 50, description: 'Keeps the bills in one of these states.', examples: [['sent', 'paid']] }),
  ),
  created_start_at: at('Created at or after.'),
  created_end_at: at('Created at or before.'),
  update_start_at: at('Changed at or after.'),
  updated_start_at: at('The same as update_start_at.'),
  updated_end_at: at('Changed at or before.'),
  due_start_at: at('Due at or after.'),
  due_end_at: at('Due at or before.'),
  partner_carrier_ids: ids('Keeps the bills of these partners or carriers.'),
  consolidated_bill_ids: ids('Keeps the bills on these statements.'),
  currency_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 3 }), { maxItems: 200, description: 'Keeps the bills in these currencies.', examples: [['usd']] }),
  ),
  reference_number: Type.Optional(
    Type.String({ maxLength: 255, description: 'Keeps the bills with this reference number, upper and lower case the same.', examples: ['INV-20417'] }),
  ),
  min_total_amount: Type.Optional(Amount('At least this total.', 100)),
  max_total_amount: Type.Optional(Amount('At most this total.', 500000)),
  unpaid: Type.Optional(Type.Boolean({ description: 'true keeps what is not paid, false what is.', examples: [true] })),
  overdue: Type.Optional(Type.Boolean({ description: 'true keeps what is not paid, no draft, and past its due date; false the rest.', examples: [true] })),
  sort: Type.Optional(
    Type.Enum(sorts, {
      description: 'The order, with - in front for descending; -created_at unless said. Equal ones are ordered by id.',
      examples: ['-created_at'],
    }),
  ),
  ...paging,
})
export type BillSearch = Static<typeof BillSearch>

/** Every filter that is given, and nothing else: what the planner sees is what was asked. */
export function filterOf(org: string, search: BillSearch): Statement {
  const {
    in_manifest_ids: manifests,
    status_ids,
    partner_carrier_ids,
    consolidated_bill_ids,
    currency_ids,
    reference_number,
    min_total_amount,
    max_total_amount,
    unpaid,
    overdue,
  } = search
  const overdueNow = sql`(b.status_id in ('saved', 'sent', 'edited') and b.due_date < now())`
  return join(
    [
      sql`b.org_id = ${org}`,
      when(status_ids, sql` and b.status_id = any(${status_ids}::text[])`),
      when(
        manifests,
        // Each by an index of its own: one `or` across tables would read every bill of the organization.
        sql` and b.id in (
        select t.id from bills t where t.org_id = ${org} and t.master_trip_id = any(${manifests}::uuid[])
        union all select i.bill_id from bill_items i where i.org_id = ${org} and i.manifest_id = any(${manifests}::uuid[])
        union all select i.bill_id from bill_items i where i.org_id = ${org} and i.manifest_payment_item_id = any(${manifests}::uuid[]))`,
      ),
      range(sql`b.created_at`, search.created_start_at, search.created_end_at),
      range(sql`b.updated_at`, search.update_start_at, search.updated_end_at),
      range(sql`b.updated_at`, search.updated_start_at, undefined),
      // Follows from the line before the last, and lets a page begin with the bills that were there by then.
      range(sql`b.created_at`, undefined, search.updated_end_at),
      range(sql`b.due_date`, search.due_start_at, search.due_end_at),
      when(partner_carrier_ids, sql` and b.partner_carrier_id = any(${partner_carrier_ids}::uuid[])`),
      when(consolidated_bill_ids, sql` and b.consolidated_bill_id = any(${consolidated_bill_ids}::uuid[])`),
      when(currency_ids, sql` and b.currency_id = any(${currency_ids?.map((id) => id.toLowerCase())}::text[])`),
      when(reference_number, sql` and b.reference_key = lower(${reference_number})`),
      when(min_total_amount, sql` and b.total_amount >= ${min_total_amount}`),
      when(max_total_amount, sql` and b.total_amount <= ${max_total_amount}`),
      when(unpaid === true, sql` and b.status_id <> 'paid'`),
      when(unpaid === false, sql` and b.status_id = 'paid'`),
      when(overdue === true, sql` and ${overdueNow}`),
      when(overdue === false, sql` and not coalesce(${overdueNow}, false)`),
    ],
    sql``,
  )
}

export type Sort = { column: keyof typeof sortable; of: Statement; nullable: boolean; descending: boolean }

export function sortOf(sort = '-created_at'): Sort {
  const column = sort.replace('-', '') as keyof typeof sortable
  return { column, ...sortable[column], descending: sort.startsWith('-') }
}

function range(column: Statement, start: string | undefined, end: string | undefined): Statement {
  const from = start === undefined ? undefined : parseDate(start, 'start')
  const to = end === undefined ? undefined : parseDate(end, 'end')
  return sql`${when(from, sql` and ${column} >= ${from}`)}${when(to, sql` and ${column} <= ${to}`)}`
}
