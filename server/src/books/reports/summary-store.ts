import type { Context } from '../../platform/context.ts'
import { unappliedAsOf } from '../../platform/db/counts/on-account.ts'
import type { Pool } from '../../platform/db/pool/connect.ts'
import { named, type Statement, sql } from '../../platform/db/sql/sql.ts'
import { accruedRows } from './accruals-store.ts'
import { agingPart, agingParts, agingSums } from './aging-store.ts'
import {
  dueInHome,
  inHome,
  type OwedKind,
  ownOf,
  type ReportedKind,
  reportedBills,
  reportedInvoices,
  withHome,
} from './documents-sql.ts'

/** So many weeks that are over, and so many that begin with this one. */
const weeksBefore = 8
const weeksAhead = 5

export type SummaryParts = { payables: boolean; receivables: boolean; accruals: boolean }

/** The kept summary as JSON, with the parts that the caller may see; undefined where none is kept yet. */
export async function findSummary(
  ctx: Context,
  { payables, receivables, accruals }: SummaryParts,
): Promise<string | undefined> {
  const part = (name: string, column: Statement, allowed: boolean) =>
    allowed ? sql` || ${`,"${name}":`}::text || ${column}` : sql` || ${`,"${name}":null`}::text`
  const [row] = await ctx.run<{ json: string }>(sql`
    select '{"summary":{"computed_at":"' || wire_time(s.computed_at) || '","is_current":' || case
        when s.position = coalesce((select f.last_position from feeds f where f.org_id = ${ctx.org}), 0) then 'true' else 'false' end
      || ',"home_currency_id":' || coalesce(to_json(s.home_currency_id)::text, 'null')
      ${part('payables', sql`s.payables`, payables)} ${part('receivables', sql`s.receivables`, receivables)}
      ${part('accruals', sql`s.accruals`, accruals)} ${part('weeks', sql`s.weeks`, payables && receivables)} || '}}' as json
    from summaries s where s.org_id = ${ctx.org}`)
  return row?.json
}

/**
 * The organizations whose summary is behind: their feed has grown, or a day has ended. One that takes long is put together less often, so that it
 * never takes more than a twentieth of the time.
 */
export async function listBehind({ run }: Pool): Promise<string[]> {
  const rows = await run<{ org_id: string }>(sql`
    select f.org_id from feeds f join organizations o on o.org_id = f.org_id left join summaries s on s.org_id = f.org_id
    where s.org_id is null or s.day <> (statement_timestamp() at time zone o.time_zone)::date
      or (s.position < f.last_position and s.computed_at < statement_timestamp() - greatest(3000, 20 * s.took_ms) * interval '1 millisecond')`)
  return rows.map(({ org_id }) => org_id)
}

type Computed = {
  payables: string
  receivables: string
  accruals: string
  weeks: string
  home: string | null
  day: string
  moment: string
}

/** Puts the summary of an organization together and keeps it. The position is read first: what is published meanwhile is counted again. */
export async function saveSummary(ctx: Context): Promise<void> {
  const [head] = await ctx.run<{ position: string }>(
    sql`select last_position as position from feeds where org_id = ${ctx.org}`,
  )
  const since = performance.now()
  const [{ payables, receivables, accruals, weeks, home, day, moment }] = (await ctx.run<Computed>(sql`
    with ${ownOf(ctx.org, null)},
    payables as (${openOf(reportedBills, ctx.org)}),
    receivables as (${openOf(reportedInvoices, ctx.org)}),
    payables_on_account as (${onAccountOf(reportedBills, ctx.org)}),
    receivables_on_account as (${onAccountOf(reportedInvoices, ctx.org)}),
    accrued as (${accruedRows(ctx.org, null)})
    select ${sideOf(reportedBills, sql`payables`, sql`payables_on_account`, ctx.org)} as payables, ${sideOf(reportedInvoices, sql`receivables`, sql`receivables_on_account`, ctx.org)} as receivables, ${accrualsOf} as accruals,
      ${weeksOf(ctx.org)} as weeks, own.home, own.day::text as day, wire_time(own.moment) as moment
    from own`)) as [Computed]
  const tookMs = Math.ceil(performance.now() - since)
  await ctx.run(sql`
    insert into summaries (org_id, payables, receivables, accruals, weeks, home_currency_id, day, position, computed_at, took_ms)
    values (${ctx.org}, ${payables}, ${receivables}, ${accruals}, ${weeks}, ${home}, ${day}, ${Number(head?.position ?? 0)}, ${moment}, ${tookMs})
    on conflict (org_id) do update set payables = excluded.payables, receivables = excluded.receivables, accruals = excluded.accruals, weeks = excluded.weeks,
      home_currency_id = excluded.home_currency_id, day = excluded.day, position = excluded.position, computed_at = excluded.computed_at, took_ms = excluded.took_ms`)
}

/** What is left to pay of each document that is past draft, as `agingSums` and the weeks want it. */
function openOf({ plural }: ReportedKind, org: string): Statement {
  return sql`
    select d.currency_id, day_of(d.due_date, own.time_zone) as due_on, d.due, ${dueInHome} as home_due, own.day, ${agingPart} as part from (
      select b.currency_id, b.due_date, b.total_amount::bigint - coalesce(b.amount_paid, 0) as due, b.exchange_rate, b.home_currency_id
      from ${named(plural)} b where b.org_id = ${org} and b.status_id in ('saved', 'sent', 'edited') and b.voided_at is null) d ${withHome}
    where d.due <> 0`
}

/** What was paid and settles nothing. */
function onAccountOf({ onAccount }: OwedKind, org: string): Statement {
  return sql`select d.currency_id, d.due, ${dueInHome} as home_due from (${unappliedAsOf(org, null, onAccount)}) d ${withHome}`
}

const thisWeek = sql`a.due_on >= a.day and a.due_on < a.day + 7`
const overdue = sql`a.due_on < a.day`

/** One side as JSON text: drafts to finish, what is open in each currency, and its aging in the home currency. */
function sideOf({ plural }: ReportedKind, open: Statement, onAccount: Statement, org: string): Statement {
  return sql`json_build_object(
    'drafts', (select count(*) from ${named(plural)} b where b.org_id = ${org} and b.status_id = 'draft'),
    'open', (select count(*) from ${open}),
    'overdue', (select count(*) from ${open} a where ${overdue}),
    'due_within_7_days', (select count(*) from ${open} a where ${thisWeek}),
    'currencies', coalesce((
      select json_agg(row order by row.currency_id) from (
        select c.currency_id, sum(c.documents) as documents, sum(c.due) as due_amount, sum(c.overdue) as overdue_amount, sum(c.this_week) as due_within_7_days_amount,
          sum(c.unapplied) as unapplied_amount
        from (
          select a.currency_id, 1 as documents, a.due, case when ${overdue} then a.due else 0 end as overdue, case when ${thisWeek} then a.due else 0 end as this_week, 0 as unapplied
          from ${open} a union all select o.currency_id, 0, 0, 0, 0, o.due from ${onAccount} o) c
        group by c.currency_id) row), '[]'::json),
    'home', (
      select row_to_json(row) from (
        select count(*) - count(a.home_due) + (select count(*) - count(o.home_due) from ${onAccount} o) as missing_rate,
          (select coalesce(sum(o.home_due), 0) from ${onAccount} o) as unapplied_amount, coalesce(sum(a.home_due) filter (where ${overdue}), 0) as overdue_amount,
          coalesce(sum(a.home_due) filter (where ${thisWeek}), 0) as due_within_7_days_amount, ${agingSums(sql`a.home_due`, agingParts)}
        from ${open} a) row))::text`
}

const accrualsOf: Statement = sql`json_build_object(
  'payable', (select json_build_object('number_of', count(*), 'home_amount', coalesce(sum(home_amount), 0), 'missing_rate', count(*) - count(home_amount)) from accrued where side = 'payable'),
  'receivable', (select json_build_object('number_of', count(*), 'home_amount', coalesce(sum(home_amount), 0), 'missing_rate', count(*) - count(home_amount)) from accrued where side = 'receivable'))::text`

/** Week by week, Monday first, in the home currency: what was paid and received, and from this week on what falls due. */
function weeksOf(org: string): Statement {
  const sum = (direction: 'in' | 'out') =>
    sql`coalesce(sum(p.home_amount) filter (where p.direction = ${direction}), 0)`
  const due = (open: Statement) =>
    sql`(select coalesce(sum(a.home_due), 0) from ${open} a where a.due_on >= greatest(w.starts_on, a.day) and a.due_on < w.starts_on + 7)`
  return sql`(
    select json_agg(json_build_object('week_starts_on', w.starts_on, 'in_amount', w.in_amount, 'out_amount', w.out_amount,
      'expected_in_amount', ${due(sql`receivables`)}, 'expected_out_amount', ${due(sql`payables`)}) order by w.starts_on)::text
    from (
      select w.starts_on, ${sum('in')} as in_amount, ${sum('out')} as out_amount
      from (
        select date_trunc('week', own.day::timestamp)::date + 7 * n as starts_on
        from own cross join generate_series(${-weeksBefore}::int, ${weeksAhead - 1}::int) as n) w
      left join (
        select d.direction, day_of(d.paid_at, own.time_zone) as paid_on, round(${inHome(sql`d.amount::bigint`)}) as home_amount from payments d ${withHome}
        where d.org_id = ${org} and d.status in ('issued', 'cleared') and d.paid_at >= (own.day - 71)::timestamp at time zone 'UTC') p
        on p.paid_on >= w.starts_on and p.paid_on < w.starts_on + 7
      group by w.starts_on) w)`
}
