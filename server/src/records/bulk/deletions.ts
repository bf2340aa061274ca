import type { Context } from '../../platform/context.ts'
import { Refusal } from '../../platform/core/refusal.ts'
import type { Definition } from '../kinds/kind.ts'
import type { LockedObject } from '../model/object.ts'
import { type Referrer, referenced } from '../single/refusals.ts'
import { withoutFixed } from './obstacles.ts'
import { type KnownObjects, lockedObjects, requireFitting } from './plan.ts'
import type { LockedObjects, PlannedRow } from './planned.ts'
import type { Row } from './rows.ts'
import { findReferrersOf, lockObjects } from './store.ts'

/** An object that others refer to cannot be deleted, unless all of those are deleted in the same request. */
export async function planDeletions(
  ctx: Context,
  rows: readonly (Row | Refusal)[],
  planned: readonly PlannedRow[],
  { definitions, options }: Pick<KnownObjects, 'definitions' | 'options'>,
): Promise<PlannedRow[]> {
  const deletions = rows.filter((row): row is Row => !(row instanceof Refusal) && row.op === 'delete')
  if (deletions.length === 0) return [...planned]
  const locked = await lockObjects(
    ctx,
    {
      ids: deletions.flatMap(({ id }) => id ?? []),
      externals: deletions.flatMap(({ id, objectKey, externalId }) =>
        id || !objectKey || !externalId ? [] : [{ objectKey, externalId }],
      ),
    },
    { forGood: true },
  )
  const existing = lockedObjects(locked)
  const rowOfObject = new Map(
    planned.flatMap((entry, index) => (entry.locked ? [[entry.locked.id, index] as const] : [])),
  )
  const decided = rows.map((row, index) => {
    if (row instanceof Refusal || row.op === 'upsert') return planned[index] as PlannedRow
    return planDeletion(row, existing, definitions, { rowOfObject, index })
  })
  return keepReferred(
    await withoutFixed(ctx, decided, options),
    await findReferrersOf(
      ctx,
      locked.map(({ id }) => id),
    ),
  )
}

function planDeletion(
  row: Row,
  existing: LockedObjects,
  definitions: KnownObjects['definitions'],
  { rowOfObject, index }: { rowOfObject: Map<string, number>; index: number },
): PlannedRow {
  const locked =
    row.id === null ? existing.byExternalId.get(`${row.objectKey} ${row.externalId}`) : existing.byId.get(row.id)
  try {
    requireFitting(row, locked, rowOfObject, index)
    const definition = definitions.get((locked as LockedObject).object_key) as Definition | Refusal
    if (definition instanceof Refusal) throw definition
    return { plan: { deleted: { locked: locked as LockedObject, definition } }, locked }
  } catch (error) {
    if (error instanceof Refusal) return { plan: error, locked }
    throw error
  }
}

/** Repeated until nothing changes: an object that stays keeps what it refers to. */
function keepReferred(planned: PlannedRow[], referrers: Map<string, (Referrer & { ids: string[] })[]>): PlannedRow[] {
  const going = new Set(planned.flatMap(({ plan }) => (plan && 'deleted' in plan ? [plan.deleted.locked.id] : [])))
  const kept = planned.map((entry) => {
    if (!entry.plan || !('deleted' in entry.plan)) return entry
    const { locked } = entry.plan.deleted
    const staying = (referrers.get(locked.id) ?? []).filter(({ ids }) => ids.some((id) => !going.has(id)))
    return staying.length === 0 ? entry : { ...entry, plan: referenced(locked, staying) }
  })
  return kept.every((entry, index) => entry === planned[index]) ? kept : keepReferred(kept, referrers)
}
