import type { Context } from '../../../platform/context.ts'
import { updateCounted } from '../../../platform/db/counts/tallies.ts'
import { oneOf } from '../../../platform/db/sql/one-of.ts'
import { named, type Statement, sql } from '../../../platform/db/sql/sql.ts'
import type { Kind } from '../model/kind/kind.ts'
import { countedRows } from '../search/tallies-sql.ts'
import { nextRevision } from './store.ts'

/** Locks the documents of a parent, in the order of their ids. The caller has the parent locked. */
export async function lockIdsOf(ctx: Context, kind: Kind, parent: string): Promise<string[]> {
  const locked = await ctx.run<{ id: string }>(
    sql`select id from ${named(kind.plural)} where org_id = ${ctx.org} and ${parentKey(kind)} = ${parent} order by id for update`,
  )
  return locked.map(({ id }) => id)
}

/** Puts locked documents under a parent, or takes them off it with null; each counts as changed. */
export async function saveParent(
  ctx: Context,
  kind: Kind,
  ids: readonly string[],
  parent: string | null,
): Promise<void> {
  await updateCounted(
    ctx,
    countedRows(kind),
    sql`id = ${oneOf(ids)}`,
    (was) => sql`update ${named(kind.plural)} set ${parentKey(kind)} = ${parent}, ${nextRevision}
      from ${was} where org_id = ${ctx.org} and id = was.row_id`,
  )
}

function parentKey({ plural, parent }: Kind): Statement {
  if (!parent) throw new Error(`${plural} are part of no other record`)
  return named(parent.key)
}
