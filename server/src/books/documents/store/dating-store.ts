import type { Context } from '../../../platform/context.ts'
import { updateCounted } from '../../../platform/db/counts/tallies.ts'
import { oneOf } from '../../../platform/db/sql/one-of.ts'
import { named, type Statement, sql } from '../../../platform/db/sql/sql.ts'
import type { Kind } from '../model/kind/kind.ts'
import { countedRows } from '../search/tallies-sql.ts'

export type DatedDocument = { id: string; dated: Date | null; sent_at: Date | null; paid_at: Date | null }
export type Times = { id: string; made: Date; changed: Date }

export function listDated(ctx: Context, kind: Kind): Promise<DatedDocument[]> {
  return ctx.run<DatedDocument>(sql`
    select id, ${named(kind.date)} as dated, sent_at, paid_at from ${named(kind.plural)}
    where org_id = ${ctx.org} order by id`)
}

export async function saveTimes(ctx: Context, kind: Kind, times: readonly Times[]): Promise<void> {
  const update = (was: Statement) => sql`
    update ${named(kind.plural)} d set created_at = t.made, updated_at = t.changed
    from ${was} join json_to_recordset(${JSON.stringify(times)}::text::json) as t(id uuid, made timestamptz, changed timestamptz) on t.id = was.row_id
    where d.org_id = ${ctx.org} and d.id = was.row_id`
  await updateCounted(ctx, countedRows(kind), sql`id = ${oneOf(times.map(({ id }) => id))}`, update)
}
