import { type Context, transaction } from '../../context.ts'
import { newId } from '../../core/ids.ts'
import { conflict, type Detail, invalidAll, notFound, quote, Refusal } from '../../core/refusal.ts'
import { type Expected, type Revised, requireExpected } from '../../core/revisions.ts'
import { record } from '../../events/record.ts'
import { requireUnbilled } from '../../movement/billed.ts'
import { currencyIds } from '../definitions/currencies.ts'
import { holdDefinition } from '../definitions/read.ts'
import { leavesOf } from '../index/entries.ts'
import { type Definition, snakeCase } from '../kinds/kind.ts'
import { type Content, type Fields, faults, statusFaults } from '../model/apply.ts'
import { anyone, decide, differences, inJson, type WriteOptions } from './decide.ts'
import { findObject, type ObjectReference } from './find.ts'
import {
  deleteObject,
  findKind,
  findObstacles,
  findReferrers,
  insertObject,
  type Locked,
  lockObject,
  type Obstacles,
  reviveObject,
  saveObject,
  waitForCreators,
} from './object-store.ts'

export type Written = Revised & {
  id: string
  objectKey: string
  created: boolean
  /** What was sent and is not the client's to set. */
  ignored: Detail[]
}

/** A new object; an `externalId` that is taken is a 409. */
export function createObject(ctx: Context, objectKey: string, json: Fields, options: WriteOptions = {}): Promise<Written> {
  return transaction(ctx, async (ctx) => {
    const definition = await holdDefinition(ctx, objectKey)
    const { content, ignored } = await decide(ctx, definition, null, json, options)
    const taken = content.externalId !== null && (await lockTwin(ctx, objectKey, content.externalId))
    if (taken) throw externalIdTaken(definition, content.externalId, options)
    return create(ctx, definition, content, ignored, options)
  })
}

/** A new object, or, where its `externalId` is in use already, a change of the object that has it. */
export function upsertObject(ctx: Context, objectKey: string, json: Fields, expected: Expected, options: WriteOptions = {}): Promise<Written> {
  return transaction(ctx, async (ctx) => {
    const definition = await holdDefinition(ctx, objectKey)
    const { externalId } = json
    const twin = typeof externalId === 'string' ? await lockTwin(ctx, objectKey, externalId) : undefined
    if (twin) return update(ctx, definition, twin, json, expected, options)
    if (expected !== null) throw new Refusal('stale', 'stale', 'If-Match asks for an object that is there already, and there is none with this externalId.')
    const { content, ignored } = await decide(ctx, definition, null, json, options)
    return create(ctx, definition, content, ignored, options)
  })
}

/** Only the fields that are sent apply; null clears. What changes nothing leaves the version alone. */
export function updateObject(ctx: Context, reference: ObjectReference, json: Fields, expected: Expected, options: WriteOptions = {}): Promise<Written> {
  return transaction(ctx, async (ctx) => {
    const { definition, locked } = await lock(ctx, reference, options)
    return update(ctx, definition, locked, json, expected, options)
  })
}

/** Out of sight, not out of the books: `restoreObject` brings it back. What others refer to cannot go. */
export function removeObject(ctx: Context, reference: ObjectReference, expected: Expected, options: WriteOptions = {}): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { definition, locked } = await lock(ctx, reference, { ...options, forGood: true })
    requireExpected(expected, locked.version)
    const referrers = await findReferrers(ctx, locked.id)
    if (referrers.length > 0) throw referenced(locked, referrers)
    await requireUnbilled(ctx, definition, locked.id)
    const { json } = await present(ctx, locked.id)
    await deleteObject(ctx, locked, leavesOf(definition, locked.content))
    await tell(ctx, definition, 'deleted', locked.id, locked.version + 1, json)
  })
}

/** Brings a deleted object back as it was, if its place is still free and everything it refers to is still there. */
export function restoreObject(ctx: Context, id: string, expected: Expected, options: WriteOptions = {}): Promise<Written> {
  return transaction(ctx, async (ctx) => {
    const { definition, locked } = await lock(ctx, { by: 'id', id }, { ...options, forGood: true, deleted: true })
    requireExpected(expected, locked.version)
    if (locked.deleted_at === null) throw conflict('not_deleted', `This ${lower(definition)} is not deleted, so there is nothing to restore.`)
    const wrong = [...faults(definition, locked.content.json, await currencyIds(ctx)), ...statusFaults(definition, locked.content.status)]
    if (wrong[0]) throw conflict('does_not_fit', `The definition of this kind has changed meanwhile: ${wrong[0].message}`, wrong)
    const leaves = leavesOf(definition, locked.content)
    // Whoever is making an object with its externalId at this moment comes first, and is not refused for looking too early.
    if (locked.content.externalId !== null) await waitForCreators(ctx, definition.objectKey)
    refuseObstacles(definition, locked.content, await findObstacles(ctx, definition.objectKey, locked.id, locked.content.externalId, leaves), options, true)
    await reviveObject(ctx, locked, leaves)
    const restored = await present(ctx, id)
    await tell(ctx, definition, 'restored', id, restored.revision, restored.json)
    return { ...restored, id, objectKey: definition.objectKey, created: false, ignored: [] }
  })
}

async function create(ctx: Context, definition: Definition, content: Content, ignored: Detail[], options: WriteOptions): Promise<Written> {
  const id = newId()
  const leaves = leavesOf(definition, content)
  refuseObstacles(definition, content, await findObstacles(ctx, definition.objectKey, id, null, leaves), options, false)
  await insertObject(ctx, { id, definition, content, source: options.source ?? 'api', leaves })
  const made = await present(ctx, id)
  await tell(ctx, definition, 'created', id, made.revision, made.json)
  return { ...made, id, objectKey: definition.objectKey, created: true, ignored }
}

async function update(ctx: Context, definition: Definition, locked: Locked, json: Fields, expected: Expected, options: WriteOptions): Promise<Written> {
  requireExpected(expected, locked.version)
  const { content, ignored } = await decide(ctx, definition, locked, json, options)
  const { id } = locked
  const kept = { id, objectKey: definition.objectKey, created: false, ignored }
  const previous = differences(locked.content, content)
  if (Object.keys(previous).length === 0) return { ...(await present(ctx, id)), ...kept }
  await requireUnbilled(ctx, definition, id, Object.keys(previous))
  const [before, after] = [leavesOf(definition, locked.content), leavesOf(definition, content)]
  const externalId = content.externalId === locked.content.externalId ? null : content.externalId
  if (externalId !== null) await waitForCreators(ctx, definition.objectKey)
  refuseObstacles(definition, content, await findObstacles(ctx, definition.objectKey, id, externalId, after), options, false)
  await saveObject(ctx, locked, content, before, after)
  const updated = await present(ctx, id)
  await tell(ctx, definition, 'updated', id, updated.revision, updated.json, previous)
  return { ...updated, ...kept }
}

export async function lock(
  ctx: Context,
  reference: ObjectReference,
  { permit = anyone, forGood = false, deleted = false }: WriteOptions & { forGood?: boolean; deleted?: boolean },
) {
  // The definition before the object, as everyone who creates does: two who take the same things in the same order cannot block each other.
  const objectKey = reference.by === 'externalId' ? reference.objectKey : await findKind(ctx, reference.id, { deleted })
  if (!objectKey) throw notFound('object', nameOf(reference))
  permit(objectKey)
  const definition = await holdDefinition(ctx, objectKey)
  const locked = await lockObject(ctx, reference, { forGood, deleted })
  if (!locked) throw notFound('object', nameOf(reference))
  return { definition, locked }
}

/** The live object with this external id. Where there is none, nobody else is about to make one any more either. */
async function lockTwin(ctx: Context, objectKey: string, externalId: string): Promise<Locked | undefined> {
  const reference = { by: 'externalId', objectKey, externalId } as const
  const twin = await lockObject(ctx, reference, {})
  if (twin) return twin
  await waitForCreators(ctx, objectKey)
  return lockObject(ctx, reference, {})
}

async function present(ctx: Context, id: string): Promise<Revised> {
  const found = await findObject(ctx, { by: 'id', id })
  if (!found) throw new Error(`object ${id} is gone within its own transaction`)
  return { revision: found.revision, json: found.json }
}

async function tell(ctx: Context, { objectKey }: Definition, verb: string, id: string, revision: number, data: string, previous?: Record<string, unknown>) {
  const noun = snakeCase(objectKey)
  await record(ctx, { type: `${noun}.${verb}`, subject: { type: noun, id }, revision, data, ...(previous && { previous }) })
}

export function refuseObstacles(
  definition: Definition,
  content: Content,
  { externalId, missing, taken }: Obstacles,
  { naming = inJson }: WriteOptions,
  restoring: boolean,
): void {
  if (externalId) throw externalIdTaken(definition, content.externalId, { naming })
  if (taken.length > 0) {
    const details = taken.map((field) => ({ field: naming(field), code: 'taken', message: `Another ${lower(definition)} has the same "${field}".` }))
    throw conflict('value_taken', `${details[0]?.message} The values of this field are unique.`, details)
  }
  if (missing.length === 0) return
  const details = missing.map(({ field, to_id, to_key }) => ({
    field: naming(field),
    code: 'unknown_reference',
    message: `"${naming(field)}" refers to the ${to_key} ${quote(to_id)}, which is not there.`,
  }))
  throw restoring ? conflict('reference_is_gone', `It cannot come back as it was: ${details[0]?.message}`, details) : invalidAll(details)
}

function externalIdTaken(definition: Definition, externalId: string | null, { naming = inJson }: WriteOptions) {
  return conflict('external_id_taken', `Another ${lower(definition)} has the externalId ${quote(externalId)} already.`, [
    { field: naming('externalId'), code: 'taken', message: 'An externalId is unique among the objects of a kind.' },
  ])
}

export function referenced({ full_id }: Locked, referrers: { object_key: string; count: number; some: string[] }[]) {
  const details = referrers.map(({ object_key, count, some }) => ({
    field: object_key,
    code: 'referenced',
    message: `${count} of kind ${object_key} refer to it: ${some.join(', ')}${count > some.length ? ' and more' : ''}.`,
  }))
  return conflict('referenced', `${full_id} cannot be deleted while others refer to it. ${details.map(({ message }) => message).join(' ')}`, details)
}

function nameOf(reference: ObjectReference): string {
  return reference.by === 'id' ? reference.id : reference.externalId
}

function lower({ name }: Definition): string {
  return name.toLowerCase()
}
