import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import { andWithin, type ChangeTime } from '../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { builtInKind } from '../kinds/built-in.ts'
import type { Definition, Field, Kind, Widget } from '../kinds/kind.ts'
import type { Row, StoredDefinition } from './resolve.ts'

const columns = sql`object_key, prefix, definition, revision`

export async function findRow(ctx: Context, objectKey: string): Promise<Row | undefined> {
  const [row] = await ctx.run<Row>(
    sql`select ${columns} from definitions where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null`,
  )
  return row
}

/** Locked against changes; others can hold it at the same time. */
export async function holdRow(ctx: Context, objectKey: string): Promise<Row | undefined> {
  const [row] = await ctx.run<Row>(
    sql`select ${columns} from definitions where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null for key share`,
  )
  return row
}

/** Locked for a change: waits for all who hold it. */
export async function lockRow(ctx: Context, objectKey: string): Promise<Row | undefined> {
  const [row] = await ctx.run<Row>(
    sql`select ${columns} from definitions where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null for update`,
  )
  return row
}

export function listRows(ctx: Context, changed: ChangeTime = {}): Promise<Row[]> {
  return ctx.run<Row>(
    sql`select ${columns} from definitions where org_id = ${ctx.org} and deleted_at is null ${andWithin(changed, sql`updated_at`)} order by object_key collate "C"`,
  )
}

/** Any conflict is ignored, not only that of the key: two who insert it at once conflict in its prefix as well. */
export async function insertBuiltIn(ctx: Context, { objectKey, prefix }: Kind): Promise<void> {
  await ctx.run(
    sql`insert into definitions (org_id, object_key, prefix) values (${ctx.org}, ${objectKey}, ${prefix}) on conflict do nothing`,
  )
}

/** False where there is one already. One that was deleted is restored, so that its objects can be restored too. */
export async function insertDefinition(
  ctx: Context,
  objectKey: string,
  prefix: string,
  stored: StoredDefinition,
): Promise<boolean> {
  const rows = await ctx
    .run(sql`
      insert into definitions as d (org_id, object_key, prefix, definition, widgets) values (${ctx.org}, ${objectKey}, ${prefix}, ${JSON.stringify(stored)}::text::jsonb, ${widgetsOf(stored)}::text::jsonb)
      on conflict (org_id, object_key) do update set prefix = excluded.prefix, definition = excluded.definition, widgets = excluded.widgets, hidden = '{}', revision = d.revision + 1,
        updated_at = excluded.updated_at, deleted_at = null where d.deleted_at is not null
      returning object_key`)
    .catch(refuse)
  return rows.length > 0
}

export async function saveDefinition(ctx: Context, objectKey: string, stored: StoredDefinition): Promise<void> {
  const hidden = (stored.hidden ?? []).map(({ key }) => key)
  await ctx.run(sql`
    update definitions set definition = ${JSON.stringify(stored)}::text::jsonb, hidden = ${hidden}::text[], widgets = ${widgetsOf(stored)}::text::jsonb, revision = revision + 1, updated_at = now()
    where org_id = ${ctx.org} and object_key = ${objectKey}`)
}

export async function deleteDefinition(ctx: Context, objectKey: string): Promise<void> {
  await ctx.run(
    sql`update definitions set deleted_at = now(), revision = revision + 1 where org_id = ${ctx.org} and object_key = ${objectKey}`,
  )
}

export function listCurrencies(ctx: Context): Promise<{ id: string; minor_units: number }[]> {
  return ctx.run(sql`select id, minor_units from currencies`)
}

export async function countKinds(ctx: Context): Promise<number> {
  const [row] = await ctx.run<{ count: number }>(
    sql`select count(*)::int as count from definitions where org_id = ${ctx.org} and deleted_at is null`,
  )
  return row?.count ?? 0
}

export async function countObjects(ctx: Context, objectKey: string): Promise<number> {
  const [row] = await ctx.run<{ count: number }>(
    sql`select count(*)::int as count from objects where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null`,
  )
  return row?.count ?? 0
}

/** How many objects have no value in a field. */
export async function countLacking(ctx: Context, objectKey: string, { key }: Field): Promise<number> {
  const [row] = await ctx.run<{ count: number }>(sql`
    select count(*)::int as count from objects where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null and btrim(coalesce(json ->> ${key}, ''), E' \\t\\n\\r\\f\\v') = ''`)
  return row?.count ?? 0
}

export async function countInOtherStates(
  ctx: Context,
  objectKey: string,
  statuses: readonly string[],
): Promise<{ status: string; count: number }[]> {
  return ctx.run(sql`
    select status, count(*)::int as count from objects where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null and status <> all (${statuses}::text[]) group by status`)
}

/** What is stored of a definition: what the organization set, and nothing of what is built in. */
export function storedOf(
  { objectKey, name, plural, description, title, statuses, fields, added, hidden }: Definition,
  widgets: readonly Widget[] | undefined,
): StoredDefinition {
  const mine = fields.filter(({ key }) => added.includes(key))
  const set = { name, plural, description, statuses, ...(title && { title }), ...(widgets && { widgets }) }
  const kind = builtInKind(objectKey) as Record<string, unknown> | undefined
  // What is set to its built-in value is not stored, so it follows later changes of the built-in kind.
  const own = Object.fromEntries(
    Object.entries(set).filter(([key, value]) => JSON.stringify(kind?.[key]) !== JSON.stringify(value)),
  )
  return { ...own, fields: mine, hidden }
}

function widgetsOf({ widgets }: StoredDefinition): string | null {
  return widgets ? JSON.stringify(widgets) : null
}

function refuse(error: unknown): never {
  if (violatedConstraint(error) === 'definition_prefix') {
    throw conflict('prefix_taken', 'Another kind has this prefix already.', [
      { field: 'prefix', code: 'taken', message: 'A prefix is unique in the organization.' },
    ])
  }
  throw error
}
