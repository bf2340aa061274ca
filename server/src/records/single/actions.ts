import { type Context, transaction } from '../../platform/context.ts'
import { conflict, type Detail, notFound, Refusal } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { snakeCase } from '../../platform/core/values/text.ts'
import { record } from '../../platform/events/record.ts'
import { currencyIds } from '../definitions/currencies.ts'
import { holdDefinition } from '../definitions/read.ts'
import { entriesOf } from '../index/entries.ts'
import type { Definition } from '../kinds/kind.ts'
import { faults, statusFaults } from '../model/apply.ts'
import { type Content, type Fields, type LockedObject, type ObjectReference, textOfReference } from '../model/object.ts'
import { anyone, decide, differences, inJson, type WriteOptions } from './decide.ts'
import { afterWrites, requireAllowed, requireChangeable, requireRight } from './fixed.ts'
import { externalIdTaken, lower, referenced, refuseObstacles } from './refusals.ts'
import {
  deleteObject,
  findKind,
  findObject,
  findObstacles,
  findReferrers,
  insertObject,
  lockObject,
  reviveObject,
  saveObject,
  waitForCreators,
} from './store.ts'

export type WrittenObject = WireRecord & {
  id: string
  objectKey: string
  created: boolean
  /** What was sent and is not the client's to set. */
  ignored: Detail[]
}

/** A new object; an `externalId` that is taken is a 409. */
export function createObject(
  ctx: Context,
  objectKey: string,
  json: Fields,
  options: WriteOptions,
): Promise<WrittenObject> {
  return transaction(ctx, async (ctx) => {
    const definition = await holdDefinition(ctx, objectKey)
    const { content, ignored } = await decide(ctx, definition, null, json, options)
    const taken = content.externalId !== null && (await lockByExternalId(ctx, objectKey, content.externalId))
    if (taken) throw externalIdTaken(definition, content.externalId, options.naming ?? inJson)
    return create(ctx, definition, content, ignored, options)
  })
}

/** A new object, or, where its `externalId` is in use already, a change of the object that has it. */
export function upsertObject(
  ctx: Context,
  objectKey: string,
  json: Fields,
  expected: ExpectedRevision,
  options: WriteOptions,
): Promise<WrittenObject> {
  return transaction(ctx, async (ctx) => {
    const definition = await holdDefinition(ctx, objectKey)
    const { externalId } = json
    const existing = typeof externalId === 'string' ? await lockByExternalId(ctx, objectKey, externalId) : undefined
    if (existing) return update(ctx, definition, existing, json, expected, options)
    if (expected !== null)
      throw new Refusal(
        'stale',
        'stale',
        'If-Match asks for an object that is there already, and there is none with this externalId.',
      )
    const { content, ignored } = await decide(ctx, definition, null, json, options)
    return create(ctx, definition, content, ignored, options)
  })
}

/** Only the fields that are sent apply; null clears. If nothing changes, the version stays the same. */
export function updateObject(
  ctx: Context,
  reference: ObjectReference,
  json: Fields,
  expected: ExpectedRevision,
  options: WriteOptions,
): Promise<WrittenObject> {
  return transaction(ctx, async (ctx) => {
    const { definition, locked } = await lock(ctx, reference, options)
    return update(ctx, definition, locked, json, expected, options)
  })
}

/** Hides the object; `restoreObject` brings it back. Refused while other objects refer to it. */
export function removeObject(
  ctx: Context,
  reference: ObjectReference,
  expected: ExpectedRevision,
  options: WriteOptions,
): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { definition, locked } = await lock(ctx, reference, { ...options, forGood: true })
    requireExpected(expected, locked.version)
    const referrers = await findReferrers(ctx, locked.id)
    if (referrers.length > 0) throw referenced(locked, referrers)
    await requireChangeable(ctx, options.extensions, { objectKey: definition.objectKey, id: locked.id })
    const { json } = await readBack(ctx, locked.id)
    await deleteObject(ctx, locked, entriesOf(definition, locked.content))
    await afterWrites(ctx, options.extensions, [
      { objectKey: definition.objectKey, id: locked.id, before: locked.content, after: null },
    ])
    await recordEvent(ctx, definition, 'deleted', locked.id, locked.version + 1, json)
  })
}

/** Brings a deleted object back as it was, if its external id and unique values are still free and everything it refers to is still there. */
export function restoreObject(
  ctx: Context,
  id: string,
  expected: ExpectedRevision,
  options: Pick<WriteOptions, 'permit' | 'extensions'>,
): Promise<WrittenObject> {
  return transaction(ctx, async (ctx) => {
    const { definition, locked } = await lock(ctx, { by: 'id', id }, { ...options, forGood: true, deleted: true })
    requireExpected(expected, locked.version)
    if (locked.deleted_at === null)
      throw conflict('not_deleted', `This ${lower(definition)} is not deleted, so there is nothing to restore.`)
    const wrong = [
      ...faults(definition, locked.content.json, await currencyIds(ctx)),
      ...statusFaults(definition, locked.content.status),
    ]
    if (wrong[0])
      throw conflict('does_not_fit', `The definition of this kind has changed meanwhile: ${wrong[0].message}`, wrong)
    const entries = entriesOf(definition, locked.content)
    // Whoever is creating an object with this externalId at the same moment comes first: only after that can be seen whether it is free.
    if (locked.content.externalId !== null) await waitForCreators(ctx, definition.objectKey)
    const obstacles = await findObstacles(ctx, definition.objectKey, locked.id, locked.content.externalId, entries)
    refuseObstacles(definition, locked.content, obstacles, { naming: inJson, restoring: true })
    const write = { objectKey: definition.objectKey, id, before: null, after: locked.content }
    await requireAllowed(ctx, options.extensions, write)
    await reviveObject(ctx, locked, entries)
    await afterWrites(ctx, options.extensions, [write])
    const restored = await readBack(ctx, id)
    await recordEvent(ctx, definition, 'restored', id, restored.revision, restored.json)
    return { ...restored, id, objectKey: definition.objectKey, created: false, ignored: [] }
  })
}

async function create(
  ctx: Context,
  definition: Definition,
  content: Content,
  ignored: Detail[],
  options: WriteOptions,
): Promise<WrittenObject> {
  const { naming = inJson, source = 'api', extensions } = options
  const id = newId()
  const entries = entriesOf(definition, content)
  refuseObstacles(definition, content, await findObstacles(ctx, definition.objectKey, id, null, entries), {
    naming,
    restoring: false,
  })
  const write = { objectKey: definition.objectKey, id, before: null, after: content }
  await requireRight(ctx, options, write)
  await requireAllowed(ctx, extensions, write)
  await insertObject(ctx, { id, definition, content, source, entries })
  await afterWrites(ctx, extensions, [write])
  const made = await readBack(ctx, id)
  await recordEvent(ctx, definition, 'created', id, made.revision, made.json)
  return { ...made, id, objectKey: definition.objectKey, created: true, ignored }
}

async function update(
  ctx: Context,
  definition: Definition,
  locked: LockedObject,
  json: Fields,
  expected: ExpectedRevision,
  options: WriteOptions,
): Promise<WrittenObject> {
  requireExpected(expected, locked.version)
  const { content, ignored } = await decide(ctx, definition, locked, json, options)
  const { id } = locked
  const kept = { id, objectKey: definition.objectKey, created: false, ignored }
  const previous = differences(locked.content, content)
  if (Object.keys(previous).length === 0) return { ...(await readBack(ctx, id)), ...kept }
  await requireChangeable(ctx, options.extensions, {
    objectKey: definition.objectKey,
    id,
    changed: Object.keys(previous),
  })
  const [before, after] = [entriesOf(definition, locked.content), entriesOf(definition, content)]
  const externalId = content.externalId === locked.content.externalId ? null : content.externalId
  if (externalId !== null) await waitForCreators(ctx, definition.objectKey)
  refuseObstacles(definition, content, await findObstacles(ctx, definition.objectKey, id, externalId, after), {
    naming: options.naming ?? inJson,
    restoring: false,
  })
  const write = { objectKey: definition.objectKey, id, before: locked.content, after: content }
  await requireRight(ctx, options, write)
  await requireAllowed(ctx, options.extensions, write)
  await saveObject(ctx, locked, content, before, after)
  await afterWrites(ctx, options.extensions, [write])
  const updated = await readBack(ctx, id)
  await recordEvent(ctx, definition, 'updated', id, updated.revision, updated.json, previous)
  return { ...updated, ...kept }
}

/** Locks an object and its definition until the transaction ends. */
export async function lock(
  ctx: Context,
  reference: ObjectReference,
  {
    permit = anyone,
    forGood = false,
    deleted = false,
  }: Pick<WriteOptions, 'permit'> & { forGood?: boolean; deleted?: boolean },
) {
  // The definition before the object, as everyone who creates does: two who lock in the same order cannot block each other.
  const objectKey = reference.by === 'externalId' ? reference.objectKey : await findKind(ctx, reference, { deleted })
  if (!objectKey) throw notFound('object', textOfReference(reference))
  permit(objectKey)
  const definition = await holdDefinition(ctx, objectKey)
  const locked = await lockObject(ctx, reference, { forGood, deleted })
  if (!locked) throw notFound('object', textOfReference(reference))
  return { definition, locked }
}

/** The live object with this external id. If there is none, nobody else can create one until the transaction ends. */
async function lockByExternalId(
  ctx: Context,
  objectKey: string,
  externalId: string,
): Promise<LockedObject | undefined> {
  const reference = { by: 'externalId', objectKey, externalId } as const
  const existing = await lockObject(ctx, reference, {})
  if (existing) return existing
  await waitForCreators(ctx, objectKey)
  return lockObject(ctx, reference, {})
}

/** The object as it goes out, within the transaction that wrote or locked it. */
export async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findObject(ctx, { by: 'id', id })
  if (!found) throw new Error(`object ${id} is gone within its own transaction`)
  return { revision: found.revision, json: found.json }
}

async function recordEvent(
  ctx: Context,
  { objectKey }: Definition,
  verb: string,
  id: string,
  revision: number,
  data: string,
  previous?: Record<string, unknown>,
) {
  const noun = snakeCase(objectKey)
  await record(ctx, {
    type: `${noun}.${verb}`,
    subject: { type: noun, id },
    revision,
    data,
    ...(previous && { previous }),
  })
}
