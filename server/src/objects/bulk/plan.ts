import type { Context } from '../../context.ts'
import { newId } from '../../core/ids.ts'
import { type Detail, invalid, invalidAll, notFound, quote, Refusal } from '../../core/refusal.ts'
import { requireExpected } from '../../core/revisions.ts'
import { findBilled } from '../../movement/billed.ts'
import { type Leaves, leavesOf } from '../index/entries.ts'
import type { Definition } from '../kinds/kind.ts'
import type { Content, Fields } from '../model/apply.ts'
import { keyOf } from '../model/name.ts'
import { type Named, withTargets } from '../model/references.ts'
import { refuseObstacles } from '../single/actions.ts'
import { differences, inJson, namesReached, readSent, settle, type WriteOptions } from '../single/decide.ts'
import { findTargets, type Locked } from '../single/object-store.ts'
import { duplicate, type Row } from './rows.ts'
import { type Change, findOwners, holdCounters, holdTargets, lockObjects, type Newcomer, type Seen } from './store.ts'

/** What should become of a row: nothing, something, or why not. */
export type Plan =
  | null
  | Refusal
  | { created: Newcomer & { definition: Definition } }
  | { change: Change & { definition: Definition; previous: Record<string, unknown> } }
  | { deleted: { locked: Locked; definition: Definition } }

/** A reference by a name that a row before gives to its object. */
type Leaning = Named & { row: number }
export type Planned = { plan: Plan; locked?: Locked | undefined; ignored?: readonly Detail[]; leans?: readonly Leaning[] }

export type Known = { seen: readonly Seen[]; definitions: ReadonlyMap<string, Definition | Refusal>; options: WriteOptions & { foreignIds?: boolean } }

/** Null where an object came or went between looking and taking. Rows that delete are left for later. */
export async function planUpserts(ctx: Context, rows: readonly (Row | Refusal)[], known: Known): Promise<Planned[] | null> {
  const upserts = rows.filter((row): row is Row => !(row instanceof Refusal) && row.op === 'upsert')
  const counted = kindsOfNewcomers(upserts, known.seen)
  await holdCounters(ctx, [...counted])
  const locked = await lockObjects(ctx, {
    ids: upserts.flatMap(({ id }) => id ?? []),
    externals: upserts.flatMap(({ externalId, ...row }) => (externalId === null ? [] : [{ objectKey: kindOf(row, known.seen), externalId }])),
  })
  const there = indexOf(locked)
  const taken = new Map<string, number>()
  const drafts = rows.map((row, index) => (row instanceof Refusal || row.op === 'delete' ? null : draftOf(row, there, { known, taken, index })))
  const targets = await findTargets(
    ctx,
    drafts.flatMap((draft) => draft?.names ?? []),
  )
  const brought: Brought = new Map()
  const planned: Planned[] = []
  for (const [index, row] of rows.entries()) {
    const draft = drafts[index]
    planned.push(draft ? await planUpsert(ctx, draft, { targets, brought, index }, known.options) : { plan: row instanceof Refusal ? row : null })
  }
  const surprised = planned.some(({ plan }) => plan && 'created' in plan && !counted.has(plan.created.object_key))
  return surprised ? null : withoutObstacles(ctx, await withoutBilled(ctx, planned), there, known.options)
}

/** Kinds of which rows may make objects, or give them another external id. */
function kindsOfNewcomers(rows: readonly Row[], seen: readonly Seen[]): Set<string> {
  const known = new Set(seen.map(({ object_key, external_id }) => `${object_key} ${external_id}`))
  return new Set(
    rows.flatMap((row) => {
      const kind = kindOf(row, seen)
      const found = row.externalId === null ? row.id !== null : known.has(`${kind} ${row.externalId}`)
      return found || kind === '' ? [] : [kind]
    }),
  )
}

function kindOf({ id, objectKey }: Pick<Row, 'id' | 'objectKey'>, seen: readonly Seen[]): string {
  return (id === null ? undefined : seen.find((one) => one.id === id)?.object_key) ?? objectKey ?? ''
}

export type There = { byId: Map<string, Locked>; byExternalId: Map<string, Locked> }

export function indexOf(locked: readonly Locked[]): There {
  return {
    byId: new Map(locked.map((one) => [one.id, one])),
    byExternalId: new Map(locked.flatMap((one) => (one.content.externalId === null ? [] : [[`${one.object_key} ${one.content.externalId}`, one] as const]))),
  }
}

type Place = { known: Known; taken: Map<string, number>; index: number }

/** A row that was read, before its references are known. */
type Draft = { locked: Locked | undefined } & ({ definition: Definition; sent: Fields; names: Named[] } | { refusal: Refusal; names?: never })

function draftOf(row: Row, there: There, { known, taken, index }: Place): Draft {
  const { locked, said } = meantBy(row, there, known.options)
  try {
    requireMeant(said, locked, taken, index)
    const definition = known.definitions.get(locked?.object_key ?? (row.objectKey as string)) as Definition | Refusal
    if (definition instanceof Refusal) throw definition
    const sent = readSent(definition, locked ?? null, row.json, known.options)
    return { locked, definition, sent, names: namesReached(definition, sent, known.options) }
  } catch (error) {
    if (error instanceof Refusal) return { locked, refusal: error }
    throw error
  }
}

/** What rows before this one give external ids to, by `keyOf`; or null, where they take one away. */
type Brought = Map<string, { id: string | null; row: number }>
type Lookup = { targets: ReadonlyMap<string, string>; brought: Brought; index: number }

async function planUpsert(ctx: Context, draft: Draft, { targets, brought, index }: Lookup, options: WriteOptions): Promise<Planned> {
  const { locked } = draft
  if ('refusal' in draft) return { plan: draft.refusal, locked }
  const { definition } = draft
  const leans: Leaning[] = []
  const targetOf = (named: Named) => {
    const earlier = brought.get(keyOf(named))
    if (earlier?.id) leans.push({ ...named, row: earlier.row })
    return earlier ? (earlier.id ?? undefined) : targets.get(keyOf(named))
  }
  try {
    const { content, ignored } = await settle(ctx, definition, locked ?? null, withTargets(definition, draft.sent, targetOf), options)
    const after = leavesOf(definition, content)
    const id = locked?.id ?? newId()
    bring(brought, definition, locked?.content.externalId ?? null, content.externalId, { id, row: index })
    if (!locked) {
      const created = { id, object_key: definition.objectKey, number: 0, full_id: '', definition, content, leaves: after }
      return { plan: { created }, ignored, leans }
    }
    const previous = differences(locked.content, content)
    if (Object.keys(previous).length === 0) return { plan: null, locked, ignored }
    const change = { locked, definition, content, before: leavesOf(definition, locked.content), after, previous }
    return { plan: { change }, locked, ignored, leans }
  } catch (error) {
    if (error instanceof Refusal) return { plan: error, locked }
    throw error
  }
}

function bring(brought: Brought, { objectKey }: Definition, before: string | null, after: string | null, by: { id: string; row: number }): void {
  if (before === after) return
  if (before !== null) brought.set(keyOf({ objectKey, externalId: before }), { ...by, id: null })
  if (after !== null) brought.set(keyOf({ objectKey, externalId: after }), by)
}

/** The id of an object elsewhere says nothing here, where its external id says enough. */
function meantBy(row: Row, { byId, byExternalId }: There, { foreignIds = false }: Known['options']): { locked: Locked | undefined; said: Row } {
  const own = row.id === null ? undefined : byId.get(row.id)
  if (own || (row.id !== null && !(foreignIds && row.externalId !== null))) return { locked: own, said: row }
  return { locked: byExternalId.get(`${row.objectKey} ${row.externalId}`), said: { ...row, id: null } }
}

export function requireMeant(row: Row, locked: Locked | undefined, taken: Map<string, number>, index: number): void {
  if (!locked && (row.id !== null || row.op === 'delete')) throw notFound('object', row.id ?? (row.externalId as string))
  if (!locked && row.expected !== null)
    throw new Refusal('stale', 'stale', '"version" asks for an object that is there already, and there is none with this externalId.')
  if (!locked) return
  if (row.objectKey !== null && row.objectKey !== locked.object_key)
    throw invalid('objectKey', 'wrong_kind', `The object ${locked.id} is of the kind ${locked.object_key}, not ${row.objectKey}.`)
  const before = taken.get(locked.id)
  if (before !== undefined) throw duplicate(row, before)
  taken.set(locked.id, index)
  requireExpected(row.expected, locked.version)
}

/** Row by row, each in view of those before it: what one gives up another can have. */
async function withoutObstacles(ctx: Context, planned: Planned[], { byExternalId }: There, options: WriteOptions): Promise<Planned[]> {
  const writes = planned.map(({ plan }) => writeOf(plan))
  const targets = await holdTargets(
    ctx,
    writes.flatMap((write) => write?.after.links ?? []),
  )
  const owners = await findOwners(
    ctx,
    writes.flatMap((write) => write?.after.claims.map((claim) => ({ ...claim, object_key: write.definition.objectKey })) ?? []),
  )
  const externals = new Map([...byExternalId].map(([key, { id }]) => [key, id]))
  const decided: Planned[] = []
  for (const [index, entry] of planned.entries()) decided.push(decideRow(entry, writes[index] ?? null))
  return decided

  function decideRow(entry: Planned, write: Write | null): Planned {
    if (!write) return entry
    const { id, definition, content, before, after } = write
    const kind = definition.objectKey
    const claimOf = ({ field, sha256 }: { field: string; sha256: string }) => `${kind} ${field} ${sha256}`
    const other = (owner: string | undefined) => owner !== undefined && owner !== id
    const obstacles = {
      externalId: content.externalId !== null && other(externals.get(`${kind} ${content.externalId}`)),
      missing: after.links.filter(({ to_key, to_id }) => !targets.has(`${to_key} ${to_id}`)),
      taken: after.claims.filter((claim) => other(owners.get(claimOf(claim)))).map(({ field }) => field),
    }
    try {
      requireLeaning(entry.leans ?? [], decided, options)
      refuseObstacles(definition, content, obstacles, options, false)
    } catch (error) {
      if (error instanceof Refusal) return { ...entry, plan: error }
      throw error
    }
    if (write.externalId !== null) externals.delete(`${kind} ${write.externalId}`)
    if (content.externalId !== null) externals.set(`${kind} ${content.externalId}`, id)
    for (const claim of before?.claims ?? []) if (!other(owners.get(claimOf(claim)))) owners.delete(claimOf(claim))
    for (const claim of after.claims) owners.set(claimOf(claim), id)
    targets.add(`${kind} ${id}`)
    return entry
  }
}

/** What a row before was to bring is there only if that row came through. */
function requireLeaning(leans: readonly Leaning[], decided: readonly Planned[], { naming = inJson }: WriteOptions): void {
  const lost = leans.filter(({ row }) => decided[row]?.plan instanceof Refusal)
  if (lost.length === 0) return
  throw invalidAll(
    lost.map(({ path, objectKey, text }) => ({
      field: naming(path),
      code: 'unknown_reference',
      message: `"${naming(path)}" refers to the ${objectKey} ${quote(text)}, which a row before this one was to bring, and that row failed.`,
    })),
  )
}

/** What a manifest's bill was made from stays as it is. */
export async function withoutBilled(ctx: Context, planned: Planned[]): Promise<Planned[]> {
  const billed = await findBilled(
    ctx,
    planned.flatMap(({ plan, locked }) => {
      if (!plan || plan instanceof Refusal || !locked) return []
      return [{ objectKey: locked.object_key, id: locked.id, changed: 'change' in plan ? Object.keys(plan.change.previous) : undefined }]
    }),
  )
  return planned.map((entry) =>
    entry.plan && entry.locked && billed.has(entry.locked.id) ? { ...entry, plan: billed.get(entry.locked.id) as Refusal } : entry,
  )
}

type Write = { id: string; definition: Definition; content: Content; externalId: string | null; before: Leaves | null; after: Leaves }

function writeOf(plan: Plan): Write | null {
  if (!plan || plan instanceof Refusal || 'deleted' in plan) return null
  if ('change' in plan) return { ...plan.change, id: plan.change.locked.id, externalId: plan.change.locked.content.externalId }
  const { leaves, ...created } = plan.created
  return { ...created, externalId: null, before: null, after: leaves }
}
