import type { Context } from '../../platform/context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import type { Database } from '../../platform/db/database.ts'
import { andChanged } from '../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { keyTypesOf, type Order, pageStatement } from '../../platform/db/sql/keyset.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'
import {
  type AccountingPeriod,
  type AccountingPeriodSearch,
  type ClosedDay,
  type NewAccountingPeriod,
  periodsOverlap,
} from './model.ts'

const latest: Order = {
  keys: [
    { value: sql`starts_on::text`, type: 'text' },
    { value: sql`id`, type: 'id' },
  ],
  descending: true,
}

export async function listPeriods(ctx: Context, search: AccountingPeriodSearch): Promise<string> {
  const { status_ids, on } = search
  const page = pageOf('accounting_periods', search, keyTypesOf(latest))
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'accounting_periods', search)} ${when(status_ids, sql`and status = any(${status_ids}::text[])`)} ${when(on, sql`and ${on}::date between starts_on and ends_on`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from accounting_periods where ${filter})`,
      rows: sql`from accounting_periods_wire where ${filter}`,
      order: latest,
      page,
    }),
  )
  return envelope('accounting_periods', found ?? nothingFound, page)
}

export async function findPeriod(ctx: Context, id: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(
    sql`select revision, json from accounting_periods_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

/** The transactions that have written something and have not ended. Asked where the rows of the organization are, whose writes are meant. */
export async function listWriting({ read }: Database, org: string): Promise<string[]> {
  const rows = await read<{ writing: string }>(
    org,
    sql`select pg_snapshot_xip(pg_current_snapshot())::text as writing from organizations where org_id = ${org}`,
  )
  return rows.map(({ writing }) => writing)
}

/** Those of them that still have not ended. */
export async function listStillWriting({ read }: Database, org: string, writing: readonly string[]): Promise<string[]> {
  const rows = await read<{ writing: string }>(
    org,
    sql`select w.id as writing from organizations o cross join unnest(${writing}::text[]) as w(id) where o.org_id = ${org} and pg_xact_status(w.id::xid8) = 'in progress'`,
  )
  return rows.map(({ writing }) => writing)
}

export async function lockPeriod(ctx: Context, id: string): Promise<AccountingPeriod | undefined> {
  const locked = await ctx.run(
    sql`select id from accounting_periods where org_id = ${ctx.org} and id = ${id} for update`,
  )
  const found = locked.length > 0 ? await findPeriod(ctx, id) : undefined
  return found && JSON.parse(found.json)
}

type NewRow = NewAccountingPeriod & { id: string; createdBy: string }

export async function insertPeriod(ctx: Context, { id, starts_on, ends_on, createdBy }: NewRow): Promise<void> {
  await ctx
    .run(
      sql`insert into accounting_periods (org_id, id, starts_on, ends_on, created_by) values (${ctx.org}, ${id}, ${starts_on}, ${ends_on}, ${createdBy})`,
    )
    .catch((error) => {
      throw violatedConstraint(error) === 'accounting_periods_do_not_overlap' ? periodsOverlap() : error
    })
}

export async function saveClosed(ctx: Context, id: string, by: string): Promise<void> {
  await ctx.run(sql`update accounting_periods set status = 'closed', closed_by = ${by}, closed_at = statement_timestamp(), ${nextRevision}
    where org_id = ${ctx.org} and id = ${id}`)
}

export async function saveOpen(ctx: Context, id: string): Promise<void> {
  await ctx.run(
    sql`update accounting_periods set status = 'open', closed_by = null, closed_at = null, ${nextRevision} where org_id = ${ctx.org} and id = ${id}`,
  )
}

const nextRevision = sql`revision = revision + 1, updated_at = statement_timestamp()`

export async function deletePeriod(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from accounting_periods where org_id = ${ctx.org} and id = ${id}`)
}

/** Those of these moments whose day is in a closed period, with the day and the period. */
export async function listClosed(ctx: Context, moments: readonly string[]): Promise<(ClosedDay & { place: number })[]> {
  return ctx.run(sql`
    select asked.place::int as place, day_of(asked.at, o.time_zone)::text as day, p.starts_on::text as starts_on, p.ends_on::text as ends_on
    from organizations o join accounting_periods p on p.org_id = o.org_id and p.status = 'closed'
    cross join unnest(${moments}::timestamptz[]) with ordinality as asked(at, place)
    where o.org_id = ${ctx.org} and day_of(asked.at, o.time_zone) between p.starts_on and p.ends_on order by asked.place`)
}
