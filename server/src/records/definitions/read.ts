import type { Context } from '../../platform/context.ts'
import { Refusal } from '../../platform/core/refusal.ts'
import type { ChangeTime } from '../../platform/db/sql/changed.ts'
import { builtInKind, builtInKinds } from '../kinds/built-in.ts'
import type { Definition } from '../kinds/kind.ts'
import { resolve, unchanged, unknownKind } from './resolve.ts'
import { findRow, holdRow, insertBuiltIn, listRows, lockRow } from './store.ts'

/**
 * The definition, locked against changes until the transaction ends. A built-in kind gets its row with the first object, so that there is a row to
 * lock and to refer to.
 */
export async function holdDefinition(ctx: Context, objectKey: string): Promise<Definition> {
  const held = await holdRow(ctx, objectKey)
  if (held) return resolve(held)
  const kind = builtInKind(objectKey)
  if (!kind) throw unknownKind(objectKey)
  await insertBuiltIn(ctx, kind)
  return resolve((await holdRow(ctx, objectKey)) as NonNullable<typeof held>)
}

/** The definition, locked for a change: nobody writes an object of this kind until the transaction ends. */
export async function lockDefinition(ctx: Context, objectKey: string): Promise<Definition | undefined> {
  const kind = builtInKind(objectKey)
  if (kind) await insertBuiltIn(ctx, kind)
  const row = await lockRow(ctx, objectKey)
  return row && resolve(row)
}

/** The definition as it is now, built in or the organization's own. */
export async function findDefinition(ctx: Context, objectKey: string): Promise<Definition | undefined> {
  const row = await findRow(ctx, objectKey)
  const kind = builtInKind(objectKey)
  return row ? resolve(row) : kind && unchanged(kind)
}

export async function requireDefinition(ctx: Context, objectKey: string): Promise<Definition> {
  const definition = await findDefinition(ctx, objectKey)
  if (!definition) throw unknownKind(objectKey)
  return definition
}

/** All kinds; of those that were changed in a time that is asked for, the ones that are kept here. */
export async function listDefinitions(ctx: Context, changed: ChangeTime = {}): Promise<Definition[]> {
  const rows = await listRows(ctx, changed)
  const stored = new Map(rows.map((row) => [row.object_key, resolve(row)]))
  const isAsked = changed.update_start_at ?? changed.updated_start_at ?? changed.updated_end_at
  const builtIn = builtInKinds.flatMap((kind) => stored.get(kind.objectKey) ?? (isAsked ? [] : [unchanged(kind)]))
  return [
    ...builtIn,
    ...rows.filter((row) => !builtInKind(row.object_key)).map((row) => stored.get(row.object_key) as Definition),
  ]
}

export type Define = (objectKey: string) => Promise<Definition>

const cached = new Map<string, Definition>()
const mostCached = 10_000

/**
 * Runs work that reads a caller's question with the help of definitions. First with those that this process has cached, which costs no round trip; if
 * that ends in undefined or in a refusal, again with the definitions as they are now.
 */
export async function withDefinitions<T>(
  ctx: Context,
  work: (define: Define) => Promise<T | undefined>,
): Promise<T | undefined> {
  let usedCache = false
  const fromCache: Define = async (objectKey) => {
    const known = cached.get(`${ctx.org} ${objectKey}`)
    usedCache ||= known !== undefined
    return known ?? refresh(ctx, objectKey)
  }
  try {
    const done = await work(fromCache)
    if (done !== undefined || !usedCache) return done
  } catch (error) {
    if (!usedCache || !(error instanceof Refusal) || error.kind !== 'invalid') throw error
  }
  return work((objectKey) => refresh(ctx, objectKey))
}

async function refresh(ctx: Context, objectKey: string): Promise<Definition> {
  const definition = await requireDefinition(ctx, objectKey)
  if (cached.size >= mostCached) cached.clear()
  cached.set(`${ctx.org} ${objectKey}`, definition)
  return definition
}
