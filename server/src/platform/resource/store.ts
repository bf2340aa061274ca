import type { Context } from '../context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../core/schema/pages.ts'
import type { WireRecord } from '../core/schema/revisions.ts'
import type { PlainReference } from '../core/values/ids.ts'
import { andChanged } from '../db/sql/changed.ts'
import { violatedConstraint } from '../db/sql/constraints.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../db/sql/keyset.ts'
import { each, join, list, named, nothing, type Statement, sql } from '../db/sql/sql.ts'
import type { Filter } from './description.ts'
import type { PlainRecord, Values } from './plain-record.ts'

export async function listRecords(ctx: Context, { plural, filters }: PlainRecord, search: Values): Promise<string> {
  const page = pageOf(plural, search, keyTypesOf(newestFirst))
  const asked = Object.entries(filters).filter(([name]) => search[name] !== undefined)
  const conditions = asked.map(([name, filter]) => conditionOf(filter, search[name]))
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, plural, search)}${join(conditions, nothing)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from ${named(plural)} where ${filter})`,
      rows: sql`from ${named(`${plural}_wire`)} where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope(plural, found ?? nothingFound, page)
}

function conditionOf(filter: Filter, value: unknown): Statement {
  if ('contains' in filter)
    return sql` and position(lower(${value}) in lower(concat_ws(chr(10), ${named(filter.contains)}))) > 0`
  if ('equals' in filter) return sql` and ${named(filter.equals)} = ${value}`
  if ('isOneOf' in filter) return sql` and ${named(filter.isOneOf)} = any(${value}::uuid[])`
  return sql` and ${named(filter.isNamed)} = any (select lower(wanted) from unnest(${value}::text[]) as wanted)`
}

export async function findRecord(
  ctx: Context,
  { plural }: PlainRecord,
  reference: PlainReference,
): Promise<WireRecord | undefined> {
  const wire = named(`${plural}_wire`)
  const [row] = await ctx.run<WireRecord>(
    reference.by === 'id'
      ? sql`select revision, json from ${wire} where org_id = ${ctx.org} and id = ${each('uuid', reference.id)}`
      : sql`select revision, json from ${wire} where org_id = ${ctx.org} and id = (
          select id from ${named(plural)} where org_id = ${ctx.org} and external_id = ${reference.external_id})`,
  )
  return row
}

/** The row is ours until the transaction ends. */
export async function lockRecord<Content extends Values>(
  ctx: Context,
  record: PlainRecord,
  reference: PlainReference,
): Promise<(Content & { id: string; revision: number }) | undefined> {
  const table = named(record.plural)
  const [row] = await ctx.run<{ id: string }>(
    reference.by === 'id'
      ? sql`select id from ${table} where org_id = ${ctx.org} and id = ${reference.id} for update`
      : sql`select id from ${table} where org_id = ${ctx.org} and external_id = ${reference.external_id} for update`,
  )
  const found = row && (await findRecord(ctx, record, { by: 'id', id: row.id }))
  return found && JSON.parse(found.json)
}

export async function insertRecord(
  ctx: Context,
  record: PlainRecord,
  id: string,
  content: Values,
  createdBy: string | null,
): Promise<void> {
  const columns = ['org_id', 'id', ...record.columns, ...(createdBy ? ['created_by'] : [])]
  const values = [ctx.org, id, ...valuesOf(record, content), ...(createdBy ? [createdBy] : [])]
  await ctx
    .run(sql`insert into ${named(record.plural)} (${named(columns)}) values (${list(values)})`)
    .catch(refusing(record, content))
}

export async function saveRecord(ctx: Context, record: PlainRecord, id: string, content: Values): Promise<void> {
  await ctx
    .run(
      sql`update ${named(record.plural)} set (${named(record.columns)}) = row(${list(valuesOf(record, content))}),
        revision = revision + 1, updated_at = statement_timestamp() where org_id = ${ctx.org} and id = ${id}`,
    )
    .catch(refusing(record, content))
}

export async function deleteRecord(ctx: Context, record: PlainRecord, id: string, content: Values): Promise<void> {
  await ctx
    .run(sql`delete from ${named(record.plural)} where org_id = ${ctx.org} and id = ${id}`)
    .catch(refusing(record, content))
}

function valuesOf({ columns, json = [] }: PlainRecord, content: Values): unknown[] {
  return columns.map((name) => (json.includes(name) ? JSON.stringify(content[name]) : content[name]))
}

function refusing({ refusals = {} }: PlainRecord, content: Values) {
  return (error: unknown): never => {
    throw refusals[violatedConstraint(error) ?? '']?.(content) ?? error
  }
}
