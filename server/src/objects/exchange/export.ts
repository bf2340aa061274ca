import type { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import { csvLine } from '../../core/csv.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { findDefinition, unknownKind } from '../definitions/read.ts'
import type { Definition } from '../kinds/kind.ts'
import { everything, type Search } from '../search/search.ts'
import { columnsOf, type Exported } from './columns.ts'

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** Every object of a kind that a search finds, in its order, one line each, from one snapshot. */
export async function exportObjects(ctx: Context, objectKey: string, search: Search, format: Format): Promise<Readable> {
  const definition = await findDefinition(ctx, objectKey)
  if (!definition) throw unknownKind(objectKey)
  const { found, ids } = everything(ctx, definition, search)
  // Object after object in the order of the ids, so that the first is there at once and none is held: to order what is joined would hold them all.
  if (format === 'ndjson') {
    const statement = sql`
      ${found} select w.json from (${ids}) as each cross join lateral (
        select json from objects_wire where org_id = ${ctx.org} and id = each.id offset 0) as w`
    return ctx.stream<{ json: string }>(statement, (rows) => rows.map(({ json }) => `${json}\n`).join(''))
  }
  const columns = columnsOf(definition)
  const statement = sql`
    ${found} select w.* from (${ids}) as each cross join lateral (
      select id, external_id as "externalId", full_id as "fullId", status, source, version, wire_time(created_at) as "createdAt", created_by as "createdBy",
        wire_time(updated_at) as "updatedAt", updated_by as "updatedBy", json, ${toldOf(ctx, definition)} as told
      from objects where org_id = ${ctx.org} and id = each.id offset 0) as w`
  const line = (object: Exported) => csvLine(columns.map(({ write }) => write(object)))
  return ctx.stream<Exported>(statement, (rows) => rows.map(line).join(''), csvLine(columns.map(({ name }) => name)))
}

/** Of the object of which `each` has the id. Most kinds have nothing of the sort, and cost nothing. */
function toldOf({ org }: Context, { told = [] }: Definition): Statement {
  if (told.length === 0) return sql`null`
  return sql`(select json::jsonb from objects_wire where org_id = ${org} and id = each.id)`
}
