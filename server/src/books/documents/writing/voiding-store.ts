import type { Context } from '../../../platform/context.ts'
import { updateCounted } from '../../../platform/db/counts/tallies.ts'
import { named, sql } from '../../../platform/db/sql/sql.ts'
import type { Kind } from '../model/kind/kind.ts'
import { countedRows } from '../search/tallies-sql.ts'
import { nextRevision } from '../store/store.ts'

/** Keeps number and content, and is counted no more. The caller holds its lock. */
export async function saveVoid(ctx: Context, kind: Kind, id: string, reason: string): Promise<void> {
  await updateCounted(
    ctx,
    countedRows(kind),
    sql`id = ${id}`,
    (
      was,
    ) => sql`update ${named(kind.plural)} set voided_at = statement_timestamp(), void_reason = ${reason}, ${nextRevision}
      from ${was} where org_id = ${ctx.org} and id = was.row_id`,
  )
}

/** What the one document was made from, the other now stands for. */
export async function saveOrigin(ctx: Context, { madeFrom }: Kind, voided: string, copy: string): Promise<void> {
  if (!madeFrom) return
  const [table, document] = [named(madeFrom.table), named(madeFrom.column)]
  await ctx.run(sql`update ${table} set ${document} = ${copy} where org_id = ${ctx.org} and ${document} = ${voided}`)
}
