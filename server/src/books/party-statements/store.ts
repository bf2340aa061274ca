import type { Context } from '../../platform/context.ts'
import type { AsOf } from '../../platform/core/values/as-of.ts'
import { unappliedAsOf } from '../../platform/db/counts/on-account.ts'
import { momentAndDay } from '../../platform/db/sql/as-of.ts'
import { join, named, nothing, type Statement, sql, when } from '../../platform/db/sql/sql.ts'
import type { Kind } from '../documents/model/kind/kind.ts'
import type { Side } from './sides.ts'

/** Of whom, and when it is asked for. */
export type StatementRequest = { party: string; asOf: AsOf; currency: string | undefined }

/** The moment that was asked for; and what is open with a party and its sums, as JSON texts. */
export type OpenItems = { as_of: string; currencies: string; documents: string; credits: string; payments: string }

export async function findOpen(ctx: Context, side: Side, asked: StatementRequest): Promise<OpenItems> {
  const { moment, day } = momentAndDay(asked.asOf, sql`z.time_zone`)
  const days = (time: Statement) => sql`(own.day - day_of(${time}, own.time_zone))`
  const aged = (open: Statement) =>
    sql`select o.*, ${days(sql`o.date`)} as age_days, greatest(0, coalesce(${days(sql`o.due_date`)}, 0)) as days_overdue from (${open}) o cross join own`
  const listed = sql`json_build_object('id', id, 'number', number, 'reference_number', reference_number, 'status_id', status_id, 'currency_id', currency_id,
    'date', wire_time(date), 'due_date', wire_time(due_date), 'total_amount', total_amount, 'amount_paid', amount_paid, 'amount_due', amount_due, 'age_days', age_days,
    'days_overdue', days_overdue)`
  const onAccount = sql`json_build_object('id', id, 'number', number, 'reference_number', reference_number, 'direction', direction, 'currency_id', currency_id,
    'date', wire_time(date), 'amount', amount, 'unapplied_amount', due)`
  const inCurrency = asked.currency === undefined ? nothing : sql`where u.currency_id = ${asked.currency}`
  const [open] = await ctx.run<OpenItems>(sql`
    with own as materialized (select z.time_zone, ${moment} as moment, ${day} as day from organizations z where z.org_id = ${ctx.org}),
      open_documents as materialized (${aged(openOf(ctx.org, side.documents, side, asked))}), open_credits as materialized (${aged(openOf(ctx.org, side.credits, side, asked))}),
      on_account as materialized (select u.* from (${unappliedAsOf(ctx.org, asked.asOf, side, asked.party)}) u ${inCurrency}),
      sums as (
        select currency_id, count(*) filter (where what = 'document') as documents, coalesce(sum(amount_due) filter (where what = 'document'), 0) as amount_due,
          coalesce(sum(amount_due) filter (where what = 'credit'), 0) as credit_amount, coalesce(sum(amount_due) filter (where what = 'payment'), 0) as unapplied_amount, ${buckets}
        from (select 'document' as what, currency_id, amount_due, days_overdue from open_documents union all select 'credit', currency_id, amount_due, 0 from open_credits
          union all select 'payment', currency_id, due, 0 from on_account) every
        group by currency_id)
    select (select wire_time(moment) from own) as as_of, (select coalesce(json_agg(${listed} order by due_date, date, id), '[]')::text from open_documents) as documents,
      (select coalesce(json_agg(${listed} order by date, id), '[]')::text from open_credits) as credits,
      (select coalesce(json_agg(${onAccount} order by date, id), '[]')::text from on_account) as payments,
      (select coalesce(json_agg(json_build_object('currency_id', currency_id, ${`${side.documents.noun}_count`}::text, documents, 'amount_due', amount_due,
        'overdue_amount', amount_due - current, 'credit_amount', credit_amount, 'unapplied_amount', unapplied_amount,
        'balance_amount', amount_due - credit_amount - unapplied_amount, 'aging', json_build_object('current', current, 'days_1_30', days_1_30,
        'days_31_60', days_31_60, 'days_61_90', days_61_90, 'days_over_90', days_over_90)) order by currency_id), '[]')::text from sums) as currencies`)
  return open as OpenItems
}

const due = (name: string, from: number, to: number) =>
  sql`coalesce(sum(amount_due) filter (where what = 'document' and days_overdue between ${from} and ${to}), 0) as ${named(name)}`

const buckets = join(
  [
    due('current', 0, 0),
    due('days_1_30', 1, 30),
    due('days_31_60', 31, 60),
    due('days_61_90', 61, 90),
    due('days_over_90', 91, 10_000_000),
  ],
  sql`, `,
)

/**
 * What is open of a kind. Of a past moment, documents that have not changed since are as they are, and any other is as its last event up to then has
 * it: also one that has another party now.
 */
function openOf(org: string, kind: Kind, { party }: Side, { party: id, asOf, currency }: StatementRequest): Statement {
  const { plural, noun, date } = kind
  const number = sql`${named(`${noun}_number`)}(b.number) as number`
  const rows = sql`select b.id, ${number}, b.reference_number, b.status_id, b.currency_id, b.${named(date)} as date, b.due_date, b.total_amount::bigint as total_amount,
      coalesce(b.amount_paid, 0) as amount_paid, b.total_amount - coalesce(b.amount_paid, 0) as amount_due, b.voided_at
    from ${named(plural)} b where b.org_id = ${org} and b.${named(party)} = ${id} and b.status_id in ('saved', 'sent', 'edited')`
  const all =
    asOf === null
      ? rows
      : sql`${rows} and b.updated_at <= (select moment from own) union all ${stoodOf(org, kind, party, id)}`
  return sql`select id, number, reference_number, status_id, currency_id, date, due_date, total_amount, amount_paid, amount_due from (${all}) d
    where voided_at is null and amount_due <> 0 ${currency === undefined ? nothing : when(currency, sql`and currency_id = ${currency}`)}`
}

function stoodOf(org: string, { plural, noun, date }: Kind, party: string, id: string): Statement {
  const field = (name: string) => sql`e.data ->> ${name}`
  return sql`select c.id, ${field('number')}, ${field('reference_number')}, ${field('status_id')}, ${field('currency_id')}, (${field(date)})::timestamptz,
      (${field('due_date')})::timestamptz, (${field('total_amount')})::bigint, (${field('amount_paid')})::bigint, (${field('amount_due')})::bigint,
      (${field('voided_at')})::timestamptz
    from ${named(plural)} c cross join lateral (
      select l.data from events l where l.org_id = ${org} and l.subject_type = '${named(noun)}' and l.subject_id = c.id and l.occurred_at <= (select moment from own)
      order by l.revision desc nulls last, l.id desc limit 1) e
    where c.org_id = ${org} and c.updated_at > (select moment from own) and c.created_at <= (select moment from own) and ${field(party)} = ${id}
      and ${field('status_id')} in ('saved', 'sent', 'edited')`
}
