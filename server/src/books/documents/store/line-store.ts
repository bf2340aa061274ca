import { type Context, together } from '../../../platform/context.ts'
import {
  envelope,
  type FoundRecords,
  nothingFound,
  type PageRequest,
  pageOf,
} from '../../../platform/core/schema/pages.ts'
import { newId } from '../../../platform/core/values/ids.ts'
import { violatedConstraint } from '../../../platform/db/sql/constraints.ts'
import { keyTypesOf, type Order, pageStatement } from '../../../platform/db/sql/keyset.ts'
import { oneOf } from '../../../platform/db/sql/one-of.ts'
import { named, sql, when } from '../../../platform/db/sql/sql.ts'
import type { Line, RowLine } from '../model/fields/line-fields.ts'
import { typeKey } from '../model/fields/shape.ts'
import { type Kind, onceFor } from '../model/kind/kind.ts'
import type { SavedLine } from '../model/kind/line-changes.ts'
import { unknownLineType } from '../model/refusals.ts'
import { columnsOf, typedColumns, typesOf } from './columns-sql.ts'

const pieces = onceFor(({ lines: { plural, parentKey, fields } }) => {
  const content = Object.keys(fields)
  const written = [...content, 'total_amount', 'tax_amount']
  const types = { ...typesOf(fields, content), total_amount: 'bigint', tax_amount: 'bigint' } as const
  return {
    table: named(plural),
    wire: named(`${plural}_wire`),
    parentKey: named(parentKey),
    content: named(written),
    contentOfRow: columnsOf('l', written),
    typed: typedColumns(types),
  }
})

const inTheirOrder: Order = {
  keys: [
    { value: sql`position`, type: 'integer' },
    { value: sql`id`, type: 'id' },
  ],
  descending: false,
}

/** Behind a line that has moved since, the page begins at its new place: the cursor names the line, not only its place. */
export async function listLines(ctx: Context, kind: Kind, document: string, asked: PageRequest): Promise<string> {
  const { table, wire, parentKey } = pieces(kind)
  const { after, ...page } = pageOf(`${kind.lines.plural} ${document}`, asked, keyTypesOf(inTheirOrder))
  const [place, id] = after ?? []
  // Where the line is gone, those behind it have moved up by one.
  const behind = when(
    after,
    sql`and position > coalesce(
      (select position from ${table} where org_id = ${ctx.org} and ${parentKey} = ${document} and id = ${id}), ${place}::bigint - 1)`,
  )
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from ${table} where org_id = ${ctx.org} and ${parentKey} = ${document})`,
      rows: sql`from ${wire} where org_id = ${ctx.org} and ${parentKey} = ${document} ${behind}`,
      order: inTheirOrder,
      page: { ...page, after: undefined },
    }),
  )
  return envelope(kind.lines.plural, found ?? nothingFound, { ...page, after })
}

export async function findLine(ctx: Context, kind: Kind, document: string, id: string): Promise<string | undefined> {
  const { wire, parentKey } = pieces(kind)
  const [row] = await ctx.run<{ json: string }>(
    sql`select json from ${wire} where org_id = ${ctx.org} and ${parentKey} = ${document} and id = ${id}`,
  )
  return row?.json
}

export async function linesOf(ctx: Context, kind: Kind, document: string): Promise<Line[]> {
  const { wire, parentKey } = pieces(kind)
  const rows = await ctx.run<{ json: string }>(
    sql`select json from ${wire} where org_id = ${ctx.org} and ${parentKey} = ${document} order by position`,
  )
  return rows.map(({ json }) => JSON.parse(json))
}

/** These lines as they will be; all of them in one statement. */
export async function saveLines(ctx: Context, kind: Kind, lines: readonly SavedLine[]): Promise<void> {
  if (lines.length === 0) return
  const { table, content, contentOfRow, typed } = pieces(kind)
  await ctx
    .run(sql`
      update ${table} i set (${content}) = row(${contentOfRow}), updated_at = statement_timestamp()
      from jsonb_to_recordset(${JSON.stringify(lines)}::text::jsonb) as l(id uuid, ${typed})
      where i.org_id = ${ctx.org} and i.id = l.id`)
    .catch(refusing(kind))
}

export async function deleteLine(ctx: Context, kind: Kind, document: string, { id, position }: Line): Promise<void> {
  const { table, parentKey } = pieces(kind)
  await together(
    ctx.run(sql`delete from ${table} where org_id = ${ctx.org} and id = ${id}`),
    ctx.run(sql`
      update ${table} set position = position - 1
      where org_id = ${ctx.org} and ${parentKey} = ${document} and position > ${position}`),
  )
}

export async function saveOrder(ctx: Context, kind: Kind, document: string, ids: readonly string[]): Promise<void> {
  const { table, parentKey } = pieces(kind)
  await ctx.run(sql`
    update ${table} i set position = o.place from unnest(${ids}::uuid[]) with ordinality as o(line_id, place)
    where org_id = ${ctx.org} and ${parentKey} = ${document} and i.id = o.line_id`)
}

/** Lines of a document, behind so many that stay. */
export type LinesOf = { document: string; lines: readonly RowLine[]; behind?: number }

/** These lines and no others, for each of these documents. */
export async function replaceLines(ctx: Context, kind: Kind, all: readonly LinesOf[]): Promise<void> {
  const { table, parentKey } = pieces(kind)
  const documents = all.map(({ document }) => document)
  await together(
    ctx.run(sql`delete from ${table} where org_id = ${ctx.org} and ${parentKey} = ${oneOf(documents)}`),
    insertLines(ctx, kind, all),
  )
}

/** New lines in their places, all of them in one statement; gives back their ids. */
export async function insertLines(ctx: Context, kind: Kind, all: readonly LinesOf[]): Promise<string[]> {
  const rows = all.flatMap(({ document, lines, behind = 0 }) =>
    lines.map((line, index) => ({ id: newId(), ...line, parent: document, position: behind + index + 1 })),
  )
  if (rows.length === 0) return []
  const { table, parentKey, content, contentOfRow, typed } = pieces(kind)
  await ctx
    .run(sql`
      insert into ${table} (org_id, id, ${parentKey}, position, ${content}, created_at, updated_at)
      select own.org_id, l.id, l.parent, l.position, ${contentOfRow},
        coalesce(l.created_at, now()), coalesce(l.updated_at, statement_timestamp())
      from organizations own
      cross join jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as l(id uuid, parent uuid, position int, created_at timestamptz, updated_at timestamptz, ${typed})
      where own.org_id = ${ctx.org}`)
    .catch(refusing(kind))
  return rows.map(({ id }) => id)
}

/** Those of these types of lines that are not there. */
export async function listUnknownTypes(
  ctx: Context,
  { lines: { type } }: Kind,
  ids: readonly string[],
): Promise<string[]> {
  if (!type || ids.length === 0) return []
  const rows = await ctx.run<{ id: string }>(sql`
    select wanted.id from unnest(${ids}::uuid[]) as wanted(id)
    where not exists (select from ${named(type.table)} t where t.org_id = ${ctx.org} and t.id = wanted.id)`)
  return rows.map(({ id }) => id)
}

function refusing({ lines: { type } }: Kind) {
  return (error: unknown): never => {
    if (!type || violatedConstraint(error) !== `${type.name}_in_use`) throw error
    const id = new RegExp(`\\(org_id, ${typeKey(type)}\\)=\\([^,]+, ([^)]+)\\)`).exec(
      (error as { detail?: string }).detail ?? '',
    )?.[1]
    throw unknownLineType(type, typeKey(type), id)
  }
}
