import type { Readable } from 'node:stream'
import type { Context } from '../../platform/context.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'
import type { Definition } from '../kinds/kind.ts'
import type { Finding } from '../search/search.ts'
import type { ExportedObject } from './columns.ts'

// All join object after object in the order of the ids, so that the first line is sent at once: to sort after the join would hold all objects.

export function streamJson(ctx: Context, finding: Finding): Promise<Readable> {
  return ctx.stream<{ json: string }>(jsonOf(ctx, finding), (rows) => rows.map(({ json }) => `${json}\n`).join(''))
}

export function streamFields(
  ctx: Context,
  definition: Definition,
  finding: Finding,
  toText: (objects: ExportedObject[]) => string,
  head: string,
): Promise<Readable> {
  return ctx.stream<ExportedObject>(fieldsOf(ctx, definition, finding), toText, head)
}

/** The same at once, for a part of what was found. */
export function listJson(ctx: Context, finding: Finding): Promise<{ id: string; json: string }[]> {
  return ctx.run(sql`${jsonOf(ctx, finding)} order by each.place`)
}

export function listFields(ctx: Context, definition: Definition, finding: Finding): Promise<ExportedObject[]> {
  return ctx.run(sql`${fieldsOf(ctx, definition, finding)} order by each.place`)
}

/** The values of a cursor behind this object, as JSON. */
export async function findKey(ctx: Context, { keyOf }: Finding, id: string): Promise<string | null> {
  const [row] = await ctx.run<{ key: string | null }>(sql`select ${keyOf(sql`${id}::uuid`)} as key`)
  return row?.key ?? null
}

function jsonOf(ctx: Context, { found, ids }: Finding): Statement {
  return sql`
    ${found} select each.id, w.json from (${ids}) as each cross join lateral (
      select json from objects_wire where org_id = ${ctx.org} and id = each.id offset 0) as w`
}

function fieldsOf(ctx: Context, definition: Definition, { found, ids }: Finding): Statement {
  return sql`
    ${found} select w.* from (${ids}) as each cross join lateral (
      select id, external_id as "externalId", full_id as "fullId", status, source, version, wire_time(created_at) as "createdAt", created_by as "createdBy",
        wire_time(updated_at) as "updatedAt", updated_by as "updatedBy", json, ${readOnlyFieldsOf(ctx, definition)} as "readOnly"
      from objects where org_id = ${ctx.org} and id = each.id offset 0) as w`
}

/** Of the object whose id `each` has. Most kinds have no read-only fields of their own, and cost nothing. */
function readOnlyFieldsOf({ org }: Context, { readOnlyFields = [] }: Definition): Statement {
  if (readOnlyFields.length === 0) return sql`null`
  return sql`(select json::jsonb from objects_wire where org_id = ${org} and id = each.id)`
}
