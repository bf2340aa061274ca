import type { Context } from '../../context.ts'
import { named, sql } from '../../db/sql.ts'
import { updateCounted } from '../../db/tallies.ts'
import { type Kind, onceFor } from './model/kind.ts'
import { countedRows } from './search/tallies-sql.ts'
import { nextRevision } from './store.ts'

const pieces = onceFor(({ plural, parent }) => ({
  rows: named`select id from ${plural} where org_id = `,
  ofParent: named` and ${parent?.key ?? 'id'} = `,
  assign: named`update ${plural} set ${parent?.key ?? 'id'} = `,
}))

/** Locks the documents of a parent, in the order of their ids. The caller holds the parent's lock. */
export async function lockIdsOf(ctx: Context, kind: Kind, parent: string): Promise<string[]> {
  const { rows, ofParent } = pieces(kind)
  const locked = await ctx.run<{ id: string }>(sql`${rows}${ctx.org}${ofParent}${parent} order by id for update`)
  return locked.map(({ id }) => id)
}

/** Locks those of these documents that are there. */
export async function lockIds(ctx: Context, kind: Kind, ids: readonly string[]): Promise<string[]> {
  const locked = await ctx.run<{ id: string }>(sql`${pieces(kind).rows}${ctx.org} and id = any(${ids}::uuid[]) order by id for update`)
  return locked.map(({ id }) => id)
}

/** Puts locked documents under a parent, or takes them off it with null; each counts as changed. */
export async function saveParent(ctx: Context, kind: Kind, ids: readonly string[], parent: string | null): Promise<void> {
  await updateCounted(
    ctx,
    countedRows(kind),
    sql`id = any(${ids}::uuid[])`,
    sql`${pieces(kind).assign}${parent}, ${nextRevision} where org_id = ${ctx.org} and id = any(${ids}::uuid[])`,
  )
}
