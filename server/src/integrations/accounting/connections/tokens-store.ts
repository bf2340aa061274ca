import type { Context } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/sql/sql.ts'

export async function findTokens(ctx: Context, id: string): Promise<string | null> {
  const [row] = await ctx.run<{ sealed: string | null }>(
    sql`select tokens_sealed as sealed from connections where org_id = ${ctx.org} and id = ${id}`,
  )
  return row?.sealed ?? null
}

/** Until when this process may renew the tokens, which are still these: nobody else does meanwhile. Undefined where another does. */
export async function takeRenewal(
  ctx: Context,
  id: string,
  sealed: string,
  leaseMs: number,
): Promise<Date | undefined> {
  const [row] = await ctx.run<{ until: Date }>(sql`
    update connections set renewing_until = statement_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
    where org_id = ${ctx.org} and id = ${id} and tokens_sealed = ${sealed} and (renewing_until is null or renewing_until <= statement_timestamp())
    returning renewing_until as until`)
  return row?.until
}

/** Holds them for longer. Until when they were held tells whose they are. */
export async function keepRenewal(ctx: Context, id: string, held: Date, leaseMs: number): Promise<Date | undefined> {
  const [row] = await ctx.run<{ until: Date }>(sql`
    update connections set renewing_until = statement_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'
    where org_id = ${ctx.org} and id = ${id} and renewing_until = ${held.toISOString()}::timestamptz returning renewing_until as until`)
  return row?.until
}

/** Not where somebody has signed in or disconnected meanwhile. */
export async function saveTokens(ctx: Context, id: string, before: string, sealed: string): Promise<void> {
  await ctx.run(sql`
    update connections set tokens_sealed = ${sealed}, renewing_until = null where org_id = ${ctx.org} and id = ${id} and tokens_sealed = ${before}`)
}

/** Of these tokens: others may be in another process's hands. */
export async function releaseRenewal(ctx: Context, id: string, sealed: string): Promise<void> {
  await ctx.run(
    sql`update connections set renewing_until = null where org_id = ${ctx.org} and id = ${id} and tokens_sealed = ${sealed}`,
  )
}
