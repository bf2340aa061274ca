import type { Context } from '../../platform/context.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { each, sql } from '../../platform/db/sql/sql.ts'

/** A live object of a kind as it goes out in v2. */
export async function findOfKind(
  ctx: Context,
  objectKey: string,
  reference: Reference,
): Promise<WireRecord | undefined> {
  const live = sql`w.org_id = ${ctx.org} and w.object_key = ${objectKey} and w.deleted_at is null`
  const [row] = await ctx.run<WireRecord>(
    reference.by === 'id'
      ? sql`select w.revision, w.json from objects_wire w where ${live} and w.id = ${each('uuid', reference.id)}`
      : reference.by === 'number'
        ? sql`select w.revision, w.json from objects_wire w where ${live} and w.id = (
          select id from objects where org_id = ${ctx.org} and object_key = ${objectKey} and full_id = ${each('text', reference.full)}
            and number = substring(${each('text', reference.full)} from '[0-9]+$')::int and deleted_at is null)`
        : sql`select w.revision, w.json from objects_wire w where ${live} and w.id = (
          select id from objects where org_id = ${ctx.org} and object_key = ${objectKey} and external_id = ${each('text', reference.external_id)} and deleted_at is null)`,
  )
  return row
}
