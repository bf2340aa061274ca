import type { Context } from '../../platform/context.ts'
import { invalid, notFound, Refusal } from '../../platform/core/refusal.ts'
import { requireExpected } from '../../platform/core/schema/revisions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { entriesOf } from '../index/entries.ts'
import type { Definition } from '../kinds/kind.ts'
import { keyOf } from '../model/name.ts'
import type { Fields, LockedObject } from '../model/object.ts'
import { type NamedReference, withTargets } from '../model/references.ts'
import { differences, namesReached, readSent, settle, type WriteOptions } from '../single/decide.ts'
import { findTargets } from '../single/targets.ts'
import { withoutFixed, withoutObstacles, withoutRefused, withoutWrong } from './obstacles.ts'
import type { EarlierReference, LockedObjects, PlannedRow } from './planned.ts'
import { duplicate, type Row } from './rows.ts'
import { holdCounters, type Identity, lockObjects } from './store.ts'

export type KnownObjects = {
  identities: readonly Identity[]
  definitions: ReadonlyMap<string, Definition | Refusal>
  options: WriteOptions & { foreignIds?: boolean }
}

/** Null if an object was created or deleted between looking it up and locking it. Rows that delete are planned later. */
export async function planUpserts(
  ctx: Context,
  rows: readonly (Row | Refusal)[],
  known: KnownObjects,
): Promise<PlannedRow[] | null> {
  const upserts = rows.filter((row): row is Row => !(row instanceof Refusal) && row.op === 'upsert')
  const counted = kindsCreated(upserts, known.identities)
  await holdCounters(ctx, [...counted])
  const locked = await lockObjects(ctx, {
    ids: upserts.flatMap(({ id }) => id ?? []),
    externals: upserts.flatMap(({ externalId, ...row }) =>
      externalId === null ? [] : [{ objectKey: kindOf(row, known.identities), externalId }],
    ),
  })
  const existing = lockedObjects(locked)
  const rowOfObject = new Map<string, number>()
  const drafts = rows.map((row, index) =>
    row instanceof Refusal || row.op === 'delete' ? null : draftOf(row, existing, { known, rowOfObject, index }),
  )
  const targets = await findTargets(
    ctx,
    drafts.flatMap((draft) => draft?.names ?? []),
  )
  const given: GivenNames = new Map()
  const planned: PlannedRow[] = []
  for (const [index, row] of rows.entries()) {
    const draft = drafts[index]
    planned.push(
      draft
        ? await planUpsert(ctx, draft, { targets, given, index }, known.options)
        : { plan: row instanceof Refusal ? row : null },
    )
  }
  // The counter of a kind must be locked before its objects are, so a kind that turns up only now means another start.
  const unlocked = planned.some(({ plan }) => plan && 'created' in plan && !counted.has(plan.created.object_key))
  if (unlocked) return null
  const right = await withoutWrong(ctx, planned, known.options)
  const allowed = await withoutRefused(ctx, await withoutFixed(ctx, right, known.options), known.options)
  return withoutObstacles(ctx, allowed, existing, known.options)
}

/** The kinds of which rows may create objects, or give objects another external id. */
function kindsCreated(rows: readonly Row[], identities: readonly Identity[]): Set<string> {
  const known = new Set(identities.map(({ object_key, external_id }) => `${object_key} ${external_id}`))
  return new Set(
    rows.flatMap((row) => {
      const kind = kindOf(row, identities)
      const found = row.externalId === null ? row.id !== null : known.has(`${kind} ${row.externalId}`)
      return found || kind === '' ? [] : [kind]
    }),
  )
}

function kindOf({ id, objectKey }: Pick<Row, 'id' | 'objectKey'>, identities: readonly Identity[]): string {
  return (id === null ? undefined : identities.find((one) => one.id === id)?.object_key) ?? objectKey ?? ''
}

export function lockedObjects(locked: readonly LockedObject[]): LockedObjects {
  return {
    byId: new Map(locked.map((one) => [one.id, one])),
    byExternalId: new Map(
      locked.flatMap((one) =>
        one.content.externalId === null ? [] : [[`${one.object_key} ${one.content.externalId}`, one] as const],
      ),
    ),
  }
}

type Place = { known: KnownObjects; rowOfObject: Map<string, number>; index: number }

/** A row that was read, before its references are looked up. */
type Draft = { locked: LockedObject | undefined } & (
  | { definition: Definition; sent: Fields; names: NamedReference[] }
  | { refusal: Refusal; names?: never }
)

function draftOf(row: Row, existing: LockedObjects, { known, rowOfObject, index }: Place): Draft {
  const { locked, meant } = findMeant(row, existing, known.options)
  try {
    requireFitting(meant, locked, rowOfObject, index)
    const definition = known.definitions.get(locked?.object_key ?? (row.objectKey as string)) as Definition | Refusal
    if (definition instanceof Refusal) throw definition
    const sent = readSent(definition, locked ?? null, row.json, known.options)
    return { locked, definition, sent, names: namesReached(definition, sent, known.options) }
  } catch (error) {
    if (error instanceof Refusal) return { locked, refusal: error }
    throw error
  }
}

/** The objects that earlier rows give external ids to, by `keyOf`; the id is null where they take one away. */
type GivenNames = Map<string, { id: string | null; row: number }>
type Lookup = { targets: ReadonlyMap<string, string>; given: GivenNames; index: number }

async function planUpsert(
  ctx: Context,
  draft: Draft,
  { targets, given, index }: Lookup,
  options: WriteOptions,
): Promise<PlannedRow> {
  const { locked } = draft
  if ('refusal' in draft) return { plan: draft.refusal, locked }
  const { definition } = draft
  const earlier: EarlierReference[] = []
  const targetOf = (named: NamedReference) => {
    const inRow = given.get(keyOf(named))
    if (inRow?.id) earlier.push({ ...named, row: inRow.row })
    return inRow ? (inRow.id ?? undefined) : targets.get(keyOf(named))
  }
  try {
    const { content, ignored } = await settle(
      ctx,
      definition,
      locked ?? null,
      withTargets(definition, draft.sent, targetOf),
      options,
    )
    const after = entriesOf(definition, content)
    const id = locked?.id ?? newId()
    giveName(given, definition, locked?.content.externalId ?? null, content.externalId, { id, row: index })
    if (!locked) {
      const created = {
        id,
        object_key: definition.objectKey,
        number: 0,
        full_id: '',
        definition,
        content,
        entries: after,
      }
      return { plan: { created }, ignored, earlier }
    }
    const previous = differences(locked.content, content)
    if (Object.keys(previous).length === 0) return { plan: null, locked, ignored }
    const change = { locked, definition, content, before: entriesOf(definition, locked.content), after, previous }
    return { plan: { change }, locked, ignored, earlier }
  } catch (error) {
    if (error instanceof Refusal) return { plan: error, locked }
    throw error
  }
}

function giveName(
  given: GivenNames,
  { objectKey }: Definition,
  before: string | null,
  after: string | null,
  by: { id: string; row: number },
): void {
  if (before === after) return
  if (before !== null) given.set(keyOf({ objectKey, externalId: before }), { ...by, id: null })
  if (after !== null) given.set(keyOf({ objectKey, externalId: after }), by)
}

/** With `foreignIds` an id that is unknown here is ignored, and the external id decides. */
function findMeant(
  row: Row,
  { byId, byExternalId }: LockedObjects,
  { foreignIds = false }: KnownObjects['options'],
): { locked: LockedObject | undefined; meant: Row } {
  const own = row.id === null ? undefined : byId.get(row.id)
  if (own || (row.id !== null && !(foreignIds && row.externalId !== null))) return { locked: own, meant: row }
  return { locked: byExternalId.get(`${row.objectKey} ${row.externalId}`), meant: { ...row, id: null } }
}

export function requireFitting(
  row: Row,
  locked: LockedObject | undefined,
  rowOfObject: Map<string, number>,
  index: number,
): void {
  if (!locked && (row.id !== null || row.op === 'delete'))
    throw notFound('object', row.id ?? (row.externalId as string))
  if (!locked && row.expected !== null)
    throw new Refusal(
      'stale',
      'stale',
      '"version" asks for an object that is there already, and there is none with this externalId.',
    )
  if (!locked) return
  if (row.objectKey !== null && row.objectKey !== locked.object_key)
    throw invalid(
      'objectKey',
      'wrong_kind',
      `The object ${locked.id} is of the kind ${locked.object_key}, not ${row.objectKey}.`,
    )
  const before = rowOfObject.get(locked.id)
  if (before !== undefined) throw duplicate(row, before)
  rowOfObject.set(locked.id, index)
  requireExpected(row.expected, locked.version)
}
