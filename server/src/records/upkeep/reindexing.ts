import { type Context, transaction } from '../../platform/context.ts'
import type { Database } from '../../platform/db/database.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { lockDefinition } from '../definitions/read.ts'
import { repairPage } from '../index/repair.ts'
import { analyzeIndex, deletePending, insertPending, listPending, lockPending, savePending } from './store.ts'

/** How many objects were read, and how many of them had wrong index entries. */
export type Progress = { read: number; repaired: number }

/**
 * Repairs the index entries of all kinds that are marked for it. Can be stopped at any time, by a `report` that throws too, and be run by several
 * processes at once: it goes on where it stopped.
 */
export async function reindexObjects(
  database: Database,
  report: (progress: Progress) => void = () => {},
): Promise<Progress> {
  const progress = { read: 0, repaired: 0 }
  for (const { org_id, object_key } of await listPending(database)) {
    const ctx = systemContext(database, org_id)
    for (let step = await reindexPage(ctx, object_key); step; step = await reindexPage(ctx, object_key)) {
      progress.read += step.read
      progress.repaired += step.repaired
      report(progress)
    }
  }
  if (progress.repaired > 0) await analyzeIndex(database)
  return progress
}

/** Marks all kinds of an organization to be reindexed. */
export async function requestReindexing(ctx: Context): Promise<void> {
  await transaction(ctx, insertPending)
}

/** Null once the kind is done. The definition is locked, so nobody writes an object of the kind meanwhile. */
function reindexPage(ctx: Context, objectKey: string): Promise<Progress | null> {
  return transaction(ctx, async (ctx) => {
    const definition = await lockDefinition(ctx, objectKey)
    const after = await lockPending(ctx, objectKey)
    if (after === undefined) return null
    const step = definition ? await repairPage(ctx, definition, after) : null
    if (step) await savePending(ctx, objectKey, step.last)
    else await deletePending(ctx, objectKey)
    return step
  })
}
