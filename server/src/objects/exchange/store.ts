import type { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import { type Statement, sql } from '../../db/sql.ts'
import type { Definition } from '../kinds/kind.ts'
import type { Exported } from './columns.ts'

/** What `everything` of a search returns. */
type Found = { found: Statement; ids: Statement }

// Both join object after object in the order of the ids, so that the first line is sent at once: to sort after the join would hold all objects.

export function streamJson(ctx: Context, { found, ids }: Found): Promise<Readable> {
  const statement = sql`
    ${found} select w.json from (${ids}) as each cross join lateral (
      select json from objects_wire where org_id = ${ctx.org} and id = each.id offset 0) as w`
  return ctx.stream<{ json: string }>(statement, (rows) => rows.map(({ json }) => `${json}\n`).join(''))
}

export function streamFields(
  ctx: Context,
  definition: Definition,
  { found, ids }: Found,
  toText: (objects: Exported[]) => string,
  head: string,
): Promise<Readable> {
  const statement = sql`
    ${found} select w.* from (${ids}) as each cross join lateral (
      select id, external_id as "externalId", full_id as "fullId", status, source, version, wire_time(created_at) as "createdAt", created_by as "createdBy",
        wire_time(updated_at) as "updatedAt", updated_by as "updatedBy", json, ${readOnlyFieldsOf(ctx, definition)} as "readOnly"
      from objects where org_id = ${ctx.org} and id = each.id offset 0) as w`
  return ctx.stream<Exported>(statement, toText, head)
}

/** Of the object whose id `each` has. Most kinds have no read-only fields of their own, and cost nothing. */
function readOnlyFieldsOf({ org }: Context, { readOnlyFields = [] }: Definition): Statement {
  if (readOnlyFields.length === 0) return sql`null`
  return sql`(select json::jsonb from objects_wire where org_id = ${org} and id = each.id)`
}
