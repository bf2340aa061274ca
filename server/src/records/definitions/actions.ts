import { type Context, transaction } from '../../platform/context.ts'
import { conflict, invalid, notFound } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected } from '../../platform/core/schema/revisions.ts'
import { idOfName } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import { reindex } from '../index/reindex.ts'
import { builtInKind } from '../kinds/built-in.ts'
import { type Definition, defaultStatuses } from '../kinds/kind.ts'
import { currencyIds } from './currencies.ts'
import type { DefinitionEdit, NewDefinition } from './input.ts'
import { factsOf } from './json-schema.ts'
import { edit, readFields, refuseBadKind, refuseBadStates, targetsOf } from './model.ts'
import { findDefinition, holdDefinition, listDefinitions, lockDefinition } from './read.ts'
import {
  countInOtherStates,
  countKinds,
  countLacking,
  countObjects,
  deleteDefinition,
  insertDefinition,
  saveDefinition,
  storedOf,
} from './store.ts'

export const mostKinds = 200

/** A kind of the organization's own. */
export function createDefinition(
  ctx: Context,
  { objectKey, prefix, fields = [], widgets, ...given }: NewDefinition,
): Promise<Definition> {
  return transaction(ctx, async (ctx) => {
    refuseBadKind({ objectKey, prefix })
    const mine = readFields(objectKey, fields)
    refuseBadStates(given.statuses)
    if (builtInKind(objectKey)) throw taken(objectKey)
    if ((await countKinds(ctx)) >= mostKinds)
      throw conflict('too_many_kinds', `An organization can have at most ${mostKinds} kinds.`)
    const stored = {
      plural: `${given.name}s`,
      description: '',
      statuses: defaultStatuses,
      ...given,
      ...(widgets && { widgets }),
      fields: mine,
      hidden: [],
    }
    if (!(await insertDefinition(ctx, objectKey, prefix, stored))) throw taken(objectKey)
    await holdTargets(ctx, targetsOf(mine))
    const made = await readBack(ctx, objectKey)
    await recordEvent(ctx, 'created', made)
    return made
  })
}

/** Existing objects lose nothing: a change that they would not fit is refused, a field that is removed is hidden. */
export function updateDefinition(
  ctx: Context,
  objectKey: string,
  input: DefinitionEdit,
  expected: ExpectedRevision,
): Promise<Definition> {
  return transaction(ctx, async (ctx) => {
    const before = await lock(ctx, objectKey, expected)
    refuseBadStates(input.statuses)
    const { after, reshaped, required, removed } = edit(before, input)
    await holdTargets(
      ctx,
      targetsOf(reshaped).filter((key) => key !== objectKey),
    )
    await refuseStates(ctx, before, after)
    for (const field of required) {
      const count = await countLacking(ctx, objectKey, field)
      if (count > 0)
        throw conflict(
          'values_are_missing',
          `${count} objects have no "${field.key}", so it cannot become required. Give them one first.`,
          [{ field: field.key, code: 'missing', message: `${count} objects lack it.` }],
        )
    }
    await reindex(ctx, before, after, { fields: reshaped, removed, currencies: await currencyIds(ctx) })
    const widgets = input.widgets === undefined ? await storedWidgets(ctx, objectKey) : (input.widgets ?? undefined)
    const facts = ({ revision: _, ...rest }: Definition) => JSON.stringify(rest)
    if (facts(before) === facts(after) && input.widgets !== null) return before
    await saveDefinition(ctx, objectKey, storedOf(after, widgets))
    const updated = await readBack(ctx, objectKey)
    await recordEvent(ctx, 'updated', updated, before)
    return updated
  })
}

/** A kind can be deleted once it has no objects and nothing refers to it. Its deleted objects stay, and can be restored if it is created again. */
export function removeDefinition(ctx: Context, objectKey: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    if (builtInKind(objectKey))
      throw conflict(
        'built_in',
        `The kind ${objectKey} is built in, so it cannot be deleted. Fields that were added to it can be removed.`,
      )
    const before = await lock(ctx, objectKey, expected)
    const count = await countObjects(ctx, objectKey)
    if (count > 0)
      throw conflict('kind_in_use', `There are ${count} objects of the kind ${objectKey}. Delete them first.`)
    const pointing = (await listDefinitions(ctx)).filter(
      (other) => other.objectKey !== objectKey && targetsOf(other.fields).includes(objectKey),
    )
    if (pointing.length > 0)
      throw conflict(
        'kind_in_use',
        `Fields of ${pointing.map((other) => other.objectKey).join(', ')} refer to the kind ${objectKey}. Remove them first.`,
      )
    await deleteDefinition(ctx, objectKey)
    await recordEvent(ctx, 'deleted', { ...before, revision: before.revision + 1 })
  })
}

/** A kind is known by its key; its events need an id, which is the same for a kind that is made again under the key. */
export function definitionId(org: string, objectKey: string): string {
  return idOfName(`${org} definition ${objectKey}`)
}

async function lock(ctx: Context, objectKey: string, expected: ExpectedRevision): Promise<Definition> {
  const definition = await lockDefinition(ctx, objectKey)
  if (!definition) throw notFound('kind of object', objectKey)
  requireExpected(expected, definition.revision)
  return definition
}

/** Locks the kinds that new references point to, so that none is deleted at the same moment. */
async function holdTargets(ctx: Context, targets: readonly string[]): Promise<void> {
  for (const target of [...targets].sort()) {
    const there = builtInKind(target) ?? (await findDefinition(ctx, target))
    if (!there)
      throw invalid('fields', 'unknown_object_key', `A reference points to the kind "${target}", which is not there.`)
    await holdDefinition(ctx, target)
  }
}

async function refuseStates(ctx: Context, before: Definition, after: Definition): Promise<void> {
  const missing = (builtInKind(after.objectKey)?.statuses ?? []).filter((status) => !after.statuses.includes(status))
  if (missing.length > 0)
    throw invalid(
      'statuses',
      'built_in',
      `"statuses" of a built-in kind can be added to, but must keep ${missing.join(', ')}.`,
    )
  if (before.statuses.every((status) => after.statuses.includes(status))) return
  const [left] = await countInOtherStates(ctx, after.objectKey, after.statuses)
  if (left)
    throw conflict(
      'status_in_use',
      `${left.count} objects are in the state "${left.status}", so it cannot go. Change them first.`,
    )
}

async function storedWidgets(ctx: Context, objectKey: string) {
  const { widgets } = await readBack(ctx, objectKey)
  return JSON.stringify(widgets) === JSON.stringify(builtInKind(objectKey)?.widgets) ? undefined : widgets
}

async function readBack(ctx: Context, objectKey: string): Promise<Definition> {
  return (await findDefinition(ctx, objectKey)) as Definition
}

async function recordEvent(ctx: Context, verb: string, definition: Definition, before?: Definition): Promise<void> {
  await record(ctx, {
    type: `definition.${verb}`,
    subject: { type: 'definition', id: definitionId(ctx.org, definition.objectKey) },
    revision: definition.revision,
    data: JSON.stringify(factsOf(definition)),
    ...(before && { previous: factsOf(before) }),
  })
}

function taken(objectKey: string) {
  return conflict('object_key_taken', `There is a kind "${objectKey}" already.`, [
    { field: 'objectKey', code: 'taken', message: 'An objectKey is unique in the organization.' },
  ])
}
