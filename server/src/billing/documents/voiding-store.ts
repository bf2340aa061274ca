import type { Context } from '../../context.ts'
import { named, sql } from '../../db/sql.ts'
import { updateCounted } from '../../db/tallies.ts'
import { type Kind, onceFor } from './model/kind.ts'
import { countedRows } from './search/tallies-sql.ts'
import { nextRevision } from './store.ts'

const update = onceFor(({ plural }) => named`update ${plural} set voided_at = statement_timestamp(), void_reason = `)

/** Keeps number and content, and is counted no more. The caller holds its lock. */
export async function saveVoid(ctx: Context, kind: Kind, id: string, reason: string): Promise<void> {
  await updateCounted(
    ctx,
    countedRows(kind),
    sql`id = ${id}`,
    sql`${update(kind)}${reason}, ${nextRevision} where org_id = ${ctx.org} and id = ${id}`,
  )
}

/** What the one document was made from, the other now stands for. */
export async function saveOrigin(ctx: Context, { madeFrom }: Kind, voided: string, copy: string): Promise<void> {
  if (!madeFrom) return
  const { table, column } = madeFrom
  await ctx.run(
    sql`${named`update ${table} set ${column} = `}${copy}${named` where ${column} = `}${voided} and org_id = ${ctx.org}`,
  )
}
