import type { Actor, Context } from '../../platform/context.ts'
import type { Pool } from '../../platform/db/pool/connect.ts'
import { nothing, sql, when } from '../../platform/db/sql/sql.ts'

export type Run = {
  last_id: string | null
  until_id: string
  partner_carrier_ids: string[] | null
  counts: Record<string, number>
}

export async function insertRun(
  ctx: Context,
  {
    id,
    partner_carrier_ids,
    until_id,
    actor,
  }: { id: string; partner_carrier_ids: readonly string[] | null; until_id: string; actor: Actor },
): Promise<void> {
  await ctx.run(sql`
    insert into audit_runs (org_id, id, partner_carrier_ids, until_id, actor)
    values (${ctx.org}, ${id}, ${partner_carrier_ids}::uuid[], ${until_id}, ${JSON.stringify(actor)}::text::jsonb)`)
}

export async function findRun(ctx: Context, id: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ json: string }>(
    sql`select json from audit_runs_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row?.json
}

/** One run of each organization that has one. */
export async function listRunning({ run }: Pool): Promise<{ org_id: string; id: string; actor: unknown }[]> {
  return run<{ org_id: string; id: string; actor: unknown }>(
    sql`select distinct on (org_id) org_id, id, actor from audit_runs where state = 'running' order by org_id, id`,
  )
}

export async function lockRun(ctx: Context, id: string): Promise<Run | undefined> {
  const [row] = await ctx.run<Run>(
    sql`select last_id, until_id, partner_carrier_ids, counts from audit_runs where org_id = ${ctx.org} and id = ${id} and state = 'running' for update skip locked`,
  )
  return row
}

/** The next open invoices of a run, in the order of their ids. */
export async function listOpenIds(
  ctx: Context,
  { last_id, until_id, partner_carrier_ids }: Run,
  limit: number,
): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(sql`
    select id from carrier_invoices where org_id = ${ctx.org} and id < ${until_id} and state in ('received', 'matched', 'exception') and not is_disputed
      and missing_fields = '{}'
      ${when(last_id, sql`and id > ${last_id}`)} ${when(partner_carrier_ids, sql`and partner_carrier_id = any(${partner_carrier_ids}::uuid[])`)} order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}

type Progress = { done: number; last_id: string | null; counts: Record<string, number>; isLast: boolean }

export async function saveProgress(
  ctx: Context,
  id: string,
  { done, last_id, counts, isLast }: Progress,
): Promise<void> {
  await ctx.run(sql`
    update audit_runs set invoices_done = invoices_done + ${done}, last_id = ${last_id}, counts = ${JSON.stringify(counts)}::text::jsonb
      ${isLast ? sql`, state = 'done', finished_at = statement_timestamp()` : nothing}
    where org_id = ${ctx.org} and id = ${id}`)
}

export async function saveFailure(ctx: Context, id: string, error: string): Promise<void> {
  await ctx.run(
    sql`update audit_runs set state = 'failed', error = ${error}, finished_at = statement_timestamp() where org_id = ${ctx.org} and id = ${id} and state = 'running'`,
  )
}
