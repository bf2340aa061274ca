import type { Context } from '../../context.ts'
import { conflict } from '../../core/refusal.ts'
import { violated } from '../../db/constraints.ts'
import { sql } from '../../db/sql.ts'
import { builtInKind } from '../kinds/built-in.ts'
import type { Definition, Field, Widget } from '../kinds/kind.ts'
import { type Row, resolve, type Stored } from './read.ts'

/** Ours alone: nobody writes an object of this kind until the transaction ends. */
export async function lockDefinition(ctx: Context, objectKey: string): Promise<Definition | undefined> {
  const kind = builtInKind(objectKey)
  if (kind) await ctx.run(sql`insert into definitions (org_id, object_key, prefix) values (${ctx.org}, ${objectKey}, ${kind.prefix}) on conflict do nothing`)
  const [row] = await ctx.run<Row>(sql`
    select object_key, prefix, definition, revision from definitions where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null for update`)
  return row && resolve(row)
}

/** False where there is one already. One that was deleted comes back to life, so that its objects can too. */
export async function insertDefinition(ctx: Context, objectKey: string, prefix: string, stored: Stored): Promise<boolean> {
  const rows = await ctx
    .run(sql`
      insert into definitions as d (org_id, object_key, prefix, definition, widgets) values (${ctx.org}, ${objectKey}, ${prefix}, ${JSON.stringify(stored)}::text::jsonb, ${widgetsOf(stored)}::text::jsonb)
      on conflict (org_id, object_key) do update set prefix = excluded.prefix, definition = excluded.definition, widgets = excluded.widgets, hidden = '{}', revision = d.revision + 1,
        updated_at = now(), deleted_at = null where d.deleted_at is not null
      returning object_key`)
    .catch(refuse)
  return rows.length > 0
}

export async function saveDefinition(ctx: Context, objectKey: string, stored: Stored): Promise<void> {
  const hidden = (stored.hidden ?? []).map(({ key }) => key)
  await ctx.run(sql`
    update definitions set definition = ${JSON.stringify(stored)}::text::jsonb, hidden = ${hidden}::text[], widgets = ${widgetsOf(stored)}::text::jsonb, revision = revision + 1, updated_at = now()
    where org_id = ${ctx.org} and object_key = ${objectKey}`)
}

export async function deleteDefinition(ctx: Context, objectKey: string): Promise<void> {
  await ctx.run(sql`update definitions set deleted_at = now(), revision = revision + 1 where org_id = ${ctx.org} and object_key = ${objectKey}`)
}

export async function countKinds(ctx: Context): Promise<number> {
  const [row] = await ctx.run<{ count: number }>(sql`select count(*)::int as count from definitions where org_id = ${ctx.org} and deleted_at is null`)
  return row?.count ?? 0
}

export async function countObjects(ctx: Context, objectKey: string): Promise<number> {
  const [row] = await ctx.run<{ count: number }>(
    sql`select count(*)::int as count from objects where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null`,
  )
  return row?.count ?? 0
}

/** How many objects lack a value of a field that they should have. */
export async function countLacking(ctx: Context, objectKey: string, { key }: Field): Promise<number> {
  const [row] = await ctx.run<{ count: number }>(sql`
    select count(*)::int as count from objects where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null and btrim(coalesce(json ->> ${key}, ''), E' \\t\\n\\r\\f\\v') = ''`)
  return row?.count ?? 0
}

export async function countInOtherStates(ctx: Context, objectKey: string, statuses: readonly string[]): Promise<{ status: string; count: number }[]> {
  return ctx.run(sql`
    select status, count(*)::int as count from objects where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null and status <> all (${statuses}::text[]) group by status`)
}

/** What is kept of a definition: what the organization said, and nothing of what is built in. */
export function storedOf(
  { objectKey, name, plural, description, title, statuses, fields, added, hidden }: Definition,
  widgets: readonly Widget[] | undefined,
): Stored {
  const mine = fields.filter(({ key }) => added.includes(key))
  const said = { name, plural, description, statuses, ...(title && { title }), ...(widgets && { widgets }) }
  const kind = builtInKind(objectKey) as Record<string, unknown> | undefined
  // A built-in kind that is said to be what it is anyway goes on to follow what is built in.
  const own = Object.fromEntries(Object.entries(said).filter(([key, value]) => JSON.stringify(kind?.[key]) !== JSON.stringify(value)))
  return { ...own, fields: mine, hidden }
}

function widgetsOf({ widgets }: Stored): string | null {
  return widgets ? JSON.stringify(widgets) : null
}

function refuse(error: unknown): never {
  if (violated(error) === 'definition_prefix') {
    throw conflict('prefix_taken', 'Another kind has this prefix already.', [
      { field: 'prefix', code: 'taken', message: 'A prefix is unique in the organization.' },
    ])
  }
  throw error
}
