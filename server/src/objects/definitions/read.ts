import type { Context } from '../../context.ts'
import { invalid, quote, Refusal } from '../../core/refusal.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { builtInKind, builtInKinds } from '../kinds/built-in.ts'
import { type Definition, defaultStatuses, defaultWidgets, type Field, type Kind } from '../kinds/kind.ts'

/** What a row of `definitions` says beyond the kind that is built in; for a kind of the organization's own, everything. */
export type Stored = Partial<Pick<Kind, 'name' | 'plural' | 'description' | 'title' | 'statuses' | 'widgets'>> & {
  fields?: readonly Field[]
  hidden?: readonly Field[]
}

const recalled = new Map<string, Definition>()
const mostRecalled = 10_000

export type Row = { object_key: string; prefix: string; definition: Stored; revision: number }

/**
 * The definition, held as it is until the transaction ends: whoever wants to change it waits. A built-in kind gets its row with the first object,
 * so that there is something to hold and to point to. With any conflict nothing is done: two who bring it at once meet in its prefix as well.
 */
export async function holdDefinition(ctx: Context, objectKey: string): Promise<Definition> {
  const held = await hold(ctx, objectKey)
  if (held) return held
  const kind = builtInKind(objectKey)
  if (!kind) throw unknownKind(objectKey)
  await ctx.run(sql`insert into definitions (org_id, object_key, prefix) values (${ctx.org}, ${objectKey}, ${kind.prefix}) on conflict do nothing`)
  return (await hold(ctx, objectKey)) as Definition
}

async function hold(ctx: Context, objectKey: string): Promise<Definition | undefined> {
  const [row] = await ctx.run<Row>(sql`
    select object_key, prefix, definition, revision from definitions where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null for key share`)
  return row && resolve(row)
}

/** The definition as it is now, built in or the organization's own. */
export async function findDefinition(ctx: Context, objectKey: string): Promise<Definition | undefined> {
  const [row] = await ctx.run<Row>(sql`
    select object_key, prefix, definition, revision from definitions where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null`)
  const kind = builtInKind(objectKey)
  return row ? resolve(row) : kind && untouched(kind)
}

export type Define = (objectKey: string) => Promise<Definition>

/**
 * For reading what a caller asks in the terms of definitions. First as this process last saw them, which costs nothing; should that end in nothing or
 * in a refusal, again as they are now.
 */
export async function withDefinitions<T>(ctx: Context, work: (define: Define) => Promise<T | undefined>): Promise<T | undefined> {
  let remembered = false
  const recall: Define = async (objectKey) => {
    const known = recalled.get(`${ctx.org} ${objectKey}`)
    remembered ||= known !== undefined
    return known ?? refresh(ctx, objectKey)
  }
  try {
    const done = await work(recall)
    if (done !== undefined || !remembered) return done
  } catch (error) {
    if (!remembered || !(error instanceof Refusal) || error.kind !== 'invalid') throw error
  }
  return work((objectKey) => refresh(ctx, objectKey))
}

async function refresh(ctx: Context, objectKey: string): Promise<Definition> {
  const definition = await findDefinition(ctx, objectKey)
  if (!definition) throw unknownKind(objectKey)
  if (recalled.size >= mostRecalled) recalled.clear()
  recalled.set(`${ctx.org} ${objectKey}`, definition)
  return definition
}

/** Says in the same statement which revision holds now; that of a built-in kind which nobody has touched is 1. */
export function revisionNow(ctx: Context, objectKey: string): Statement {
  const untold = builtInKind(objectKey) ? sql`1` : sql`0`
  return sql`coalesce((select revision from definitions where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null), ${untold})`
}

export async function listDefinitions(ctx: Context): Promise<Definition[]> {
  const rows = await ctx.run<Row>(sql`
    select object_key, prefix, definition, revision from definitions where org_id = ${ctx.org} and deleted_at is null order by object_key`)
  const stored = new Map(rows.map((row) => [row.object_key, resolve(row)]))
  const builtIn = builtInKinds.map((kind) => stored.get(kind.objectKey) ?? untouched(kind))
  return [...builtIn, ...rows.filter((row) => !builtInKind(row.object_key)).map((row) => stored.get(row.object_key) as Definition)]
}

export function resolve({ object_key, prefix, definition: { fields = [], hidden = [], ...said }, revision }: Row): Definition {
  const kind = builtInKind(object_key) ?? {
    objectKey: object_key,
    name: object_key,
    plural: object_key,
    prefix,
    description: '',
    scope: 'services' as const,
    statuses: defaultStatuses,
    widgets: defaultWidgets,
    fields: [],
  }
  return {
    ...kind,
    ...said,
    prefix,
    builtIn: builtInKind(object_key) !== undefined,
    revision,
    fields: [...kind.fields, ...fields],
    added: fields.map(({ key }) => key),
    hidden,
  }
}

export function unknownKind(objectKey: string): Refusal {
  const allowed = builtInKinds.map((kind) => kind.objectKey)
  return invalid(
    'objectKey',
    'unknown_object_key',
    `There is no kind of object ${quote(objectKey)} in this organization. Built in: ${allowed.join(', ')}; GET …/definitions lists all.`,
    allowed,
  )
}

function untouched(kind: Kind): Definition {
  return { ...kind, builtIn: true, revision: 1, added: [], hidden: [] }
}
