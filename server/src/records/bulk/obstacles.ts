import type { Context } from '../../platform/context.ts'
import { invalidAll, quote, Refusal } from '../../platform/core/refusal.ts'
import type { IndexEntries } from '../index/entries.ts'
import type { Definition } from '../kinds/kind.ts'
import type { Content } from '../model/object.ts'
import { inJson, type WriteOptions } from '../single/decide.ts'
import { findFixed, findRefused, findWrong, type WriteOf } from '../single/fixed.ts'
import { refuseObstacles } from '../single/refusals.ts'
import type { EarlierReference, LockedObjects, Plan, PlannedRow } from './planned.ts'
import { findOwners, holdTargets } from './store.ts'

/** Row by row, each in view of those before it: an external id or unique value that one row gives up, a later row can have. */
export async function withoutObstacles(
  ctx: Context,
  planned: PlannedRow[],
  { byExternalId }: LockedObjects,
  options: WriteOptions,
): Promise<PlannedRow[]> {
  const writes = planned.map(({ plan }) => writeOf(plan))
  const targets = await holdTargets(
    ctx,
    writes.flatMap((write) => write?.after.references ?? []),
  )
  const owners = await findOwners(
    ctx,
    writes.flatMap(
      (write) => write?.after.uniqueValues.map((entry) => ({ ...entry, object_key: write.definition.objectKey })) ?? [],
    ),
  )
  const externals = new Map([...byExternalId].map(([key, { id }]) => [key, id]))
  const decided: PlannedRow[] = []
  for (const [index, entry] of planned.entries()) decided.push(decideRow(entry, writes[index] ?? null))
  return decided

  function decideRow(entry: PlannedRow, write: Write | null): PlannedRow {
    if (!write) return entry
    const { id, definition, content, before, after } = write
    const kind = definition.objectKey
    const keyOfValue = ({ field, sha256 }: { field: string; sha256: string }) => `${kind} ${field} ${sha256}`
    const other = (owner: string | undefined) => owner !== undefined && owner !== id
    const obstacles = {
      externalId: content.externalId !== null && other(externals.get(`${kind} ${content.externalId}`)),
      missing: after.references.filter(({ to_key, to_id }) => !targets.has(`${to_key} ${to_id}`)),
      taken: after.uniqueValues.filter((entry) => other(owners.get(keyOfValue(entry)))).map(({ field }) => field),
    }
    try {
      requireEarlierRows(entry.earlier ?? [], decided, options)
      refuseObstacles(definition, content, obstacles, { naming: options.naming ?? inJson, restoring: false })
    } catch (error) {
      if (error instanceof Refusal) return { ...entry, plan: error }
      throw error
    }
    if (write.externalId !== null) externals.delete(`${kind} ${write.externalId}`)
    if (content.externalId !== null) externals.set(`${kind} ${content.externalId}`, id)
    for (const entry of before?.uniqueValues ?? [])
      if (!other(owners.get(keyOfValue(entry)))) owners.delete(keyOfValue(entry))
    for (const entry of after.uniqueValues) owners.set(keyOfValue(entry), id)
    targets.add(`${kind} ${id}`)
    return entry
  }
}

/** A row that refers to an object of an earlier row fails if that row failed. */
function requireEarlierRows(
  earlier: readonly EarlierReference[],
  decided: readonly PlannedRow[],
  { naming = inJson }: WriteOptions,
): void {
  const lost = earlier.filter(({ row }) => decided[row]?.plan instanceof Refusal)
  if (lost.length === 0) return
  throw invalidAll(
    lost.map(({ path, objectKey, text }) => ({
      field: naming(path),
      code: 'unknown_reference',
      message: `"${naming(path)}" refers to the ${objectKey} ${quote(text)}, which an earlier row was to create, and that row failed.`,
    })),
  )
}

/** Refuses changes that an extension of the kind does not allow. */
export async function withoutFixed(
  ctx: Context,
  planned: readonly PlannedRow[],
  { extensions }: WriteOptions,
): Promise<PlannedRow[]> {
  const fixed = await findFixed(
    ctx,
    extensions,
    planned.flatMap(({ plan, locked }) => {
      if (!plan || plan instanceof Refusal || !locked) return []
      return [
        {
          objectKey: locked.object_key,
          id: locked.id,
          changed: 'change' in plan ? Object.keys(plan.change.previous) : undefined,
        },
      ]
    }),
  )
  return planned.map((entry) =>
    entry.plan && entry.locked && fixed.has(entry.locked.id)
      ? { ...entry, plan: fixed.get(entry.locked.id) as Refusal }
      : entry,
  )
}

/** Refuses writes that bring what an extension of the kind finds wrong. */
export async function withoutWrong(
  ctx: Context,
  planned: readonly PlannedRow[],
  options: WriteOptions,
): Promise<PlannedRow[]> {
  const wrong = await findWrong(ctx, options, planned.flatMap(writesOf))
  return wrong.size === 0
    ? [...planned]
    : planned.map((entry) => ({ ...entry, plan: wrong.get(writeOf(entry.plan)?.id ?? '') ?? entry.plan }))
}

/** Refuses writes that an extension of the kind does not allow, in view of all the others. */
export async function withoutRefused(
  ctx: Context,
  planned: readonly PlannedRow[],
  { extensions }: WriteOptions,
): Promise<PlannedRow[]> {
  const idOf = ({ plan }: PlannedRow) => writeOf(plan)?.id ?? ''
  const refused = await findRefused(ctx, extensions, planned.flatMap(writesOf))
  return refused.size === 0
    ? [...planned]
    : planned.map((entry) => ({ ...entry, plan: refused.get(idOf(entry)) ?? entry.plan }))
}

/** What a row writes, as extensions see it. */
export function writesOf({ plan, locked }: PlannedRow): WriteOf[] {
  if (!plan || plan instanceof Refusal) return []
  if ('deleted' in plan)
    return [
      {
        objectKey: plan.deleted.definition.objectKey,
        id: plan.deleted.locked.id,
        before: plan.deleted.locked.content,
        after: null,
      },
    ]
  const { id, definition, content } = writeOf(plan) as Write
  return [{ objectKey: definition.objectKey, id, before: locked?.content ?? null, after: content }]
}

type Write = {
  id: string
  definition: Definition
  content: Content
  externalId: string | null
  before: IndexEntries | null
  after: IndexEntries
}

function writeOf(plan: Plan): Write | null {
  if (!plan || plan instanceof Refusal || 'deleted' in plan) return null
  if ('change' in plan)
    return { ...plan.change, id: plan.change.locked.id, externalId: plan.change.locked.content.externalId }
  const { entries, ...created } = plan.created
  return { ...created, externalId: null, before: null, after: entries }
}
