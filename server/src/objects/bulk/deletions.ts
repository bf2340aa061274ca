import type { Context } from '../../context.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Definition } from '../kinds/kind.ts'
import { referenced } from '../single/actions.ts'
import type { Locked, Referrer } from '../single/object-store.ts'
import { indexOf, type Known, type Planned, requireMeant, type There, withoutBilled } from './plan.ts'
import type { Row } from './rows.ts'
import { findReferrersOf, lockObjects } from './store.ts'

/** Those that are referred to cannot go, unless all who refer go with them. */
export async function planDeletions(
  ctx: Context,
  rows: readonly (Row | Refusal)[],
  planned: readonly Planned[],
  definitions: Known['definitions'],
): Promise<Planned[]> {
  const deletions = rows.filter((row): row is Row => !(row instanceof Refusal) && row.op === 'delete')
  if (deletions.length === 0) return [...planned]
  const locked = await lockObjects(
    ctx,
    {
      ids: deletions.flatMap(({ id }) => id ?? []),
      externals: deletions.flatMap(({ id, objectKey, externalId }) => (id || !objectKey || !externalId ? [] : [{ objectKey, externalId }])),
    },
    { forGood: true },
  )
  const there = indexOf(locked)
  const taken = new Map(planned.flatMap((entry, index) => (entry.locked ? [[entry.locked.id, index] as const] : [])))
  const decided = rows.map((row, index) => {
    if (row instanceof Refusal || row.op === 'upsert') return planned[index] as Planned
    return planDeletion(row, there, definitions, { taken, index })
  })
  return keepReferred(
    await withoutBilled(ctx, decided),
    await findReferrersOf(
      ctx,
      locked.map(({ id }) => id),
    ),
  )
}

function planDeletion(row: Row, there: There, definitions: Known['definitions'], { taken, index }: { taken: Map<string, number>; index: number }): Planned {
  const locked = row.id === null ? there.byExternalId.get(`${row.objectKey} ${row.externalId}`) : there.byId.get(row.id)
  try {
    requireMeant(row, locked, taken, index)
    const definition = definitions.get((locked as Locked).object_key) as Definition | Refusal
    if (definition instanceof Refusal) throw definition
    return { plan: { deleted: { locked: locked as Locked, definition } }, locked }
  } catch (error) {
    if (error instanceof Refusal) return { plan: error, locked }
    throw error
  }
}

/** Goes on until nothing changes: who stays keeps what it refers to. */
function keepReferred(planned: Planned[], referrers: Map<string, (Referrer & { ids: string[] })[]>): Planned[] {
  const going = new Set(planned.flatMap(({ plan }) => (plan && 'deleted' in plan ? [plan.deleted.locked.id] : [])))
  const kept = planned.map((entry) => {
    if (!entry.plan || !('deleted' in entry.plan)) return entry
    const { locked } = entry.plan.deleted
    const staying = (referrers.get(locked.id) ?? []).filter(({ ids }) => ids.some((id) => !going.has(id)))
    return staying.length === 0 ? entry : { ...entry, plan: referenced(locked, staying) }
  })
  return kept.every((entry, index) => entry === planned[index]) ? kept : keepReferred(kept, referrers)
}
