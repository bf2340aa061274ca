import type { Context } from '../../context.ts'
import { leaseMs } from '../../core/turns/leases.ts'
import { later } from '../../db/sql/later.ts'
import type { Row } from '../../db/sql/rows.ts'
import { named, nothing, type Statement, sql, when } from '../../db/sql/sql.ts'
import type { HeldRows, QueueTable } from './table.ts'

export type Claim = {
  /** Which of the rows `q` are asked for; without it all. */
  of?: Statement
  most?: number
  /** What else changes with the claim, each with a comma before it. */
  set?: Statement
  returning: Statement
  /** What is added to the time: a clock that tests turn. */
  aheadMs: number
}

/**
 * Takes what is due and nobody holds, what has been due for longest first, for as long as a lease lasts. Of several processes that ask at the same time each
 * gets others, and none waits. What was found is looked up by its ids in a way that leaves PostgreSQL no other: until it has counted the rows of an
 * organization, it takes it for one with a single row, and would read all of them instead.
 */
export function claim<R extends Row>(
  ctx: Context,
  { name, dueAt, withoutTime, waits }: QueueTable,
  { of, most = 1, set = nothing, returning, aheadMs }: Claim,
): Promise<R[]> {
  const [table, since, now] = [named(name), named(dueAt), later(aheadMs)]
  return ctx.run<R>(sql`
    with due as (
      select q.id from ${table} q where q.org_id = ${ctx.org} ${when(of, sql`and ${of}`)} ${andWaits(waits)}
        and ${withoutTime === 'due' ? sql`(q.${since} is null or q.${since} <= ${now})` : sql`q.${since} <= ${now}`}
        and (q.leased_until is null or q.leased_until <= ${now})
      order by q.${since}, q.id limit ${most} for update of q skip locked)
    update ${table} q set leased_until = ${later(aheadMs + leaseMs)} ${set}
    where q.org_id = ${ctx.org} and q.id = any (array(select id from due)) returning ${returning}, q.leased_until`)
}

/** Until when those are held now that have not ended. Undefined where another process has taken them, or all have ended. */
export async function renew(
  ctx: Context,
  table: QueueTable,
  rows: HeldRows,
  aheadMs: number,
): Promise<Date | undefined> {
  const [row] = await ctx.run<{ leased_until: Date }>(sql`
    update ${named(table.name)} q set leased_until = ${later(aheadMs + leaseMs)} where ${isHeld(ctx, table, rows)} returning q.leased_until`)
  return row?.leased_until
}

/** Anybody may take them again, at once or after so long. */
export async function release(ctx: Context, table: QueueTable, rows: HeldRows, waitMs?: number): Promise<void> {
  await ctx.run(sql`
    update ${named(table.name)} q set leased_until = null ${when(waitMs, sql`, ${named(table.dueAt)} = ${later(waitMs ?? 0)}`)}
    where ${isHeld(ctx, table, rows)}`)
}

function isHeld({ org }: Context, { waits }: QueueTable, { ids, until }: HeldRows): Statement {
  return sql`q.org_id = ${org} and q.id = any(${ids}::uuid[]) ${andWaits(waits)} and q.leased_until = ${until.toISOString()}::timestamptz`
}

function andWaits(waits: QueueTable['waits']): Statement {
  return waits ? sql`and q.${named(waits[0])} = ${waits[1]}` : nothing
}
