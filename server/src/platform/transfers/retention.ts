import type { Context } from '../context.ts'
import type { Database } from '../db/database.ts'
import { systemContext } from '../organizations/actions.ts'
import { deleteKeys, deleteParts } from './parts/store.ts'
import { deleteTransfer, type KeptTransfers, listCleanable, saveWithoutInput } from './store.ts'

/** One transaction deletes no more than these. */
const partsAtOnce = 50
const keysAtOnce = 5_000

/** Deletes the transfers that have been kept long enough with all their files, and of other imports that have ended the rows that were sent. */
export async function deleteOldTransfers(database: Database, kept: KeptTransfers, signal?: AbortSignal): Promise<void> {
  for (const { org_id, id, expired } of await listCleanable(database.pool, kept)) {
    const ctx = systemContext(database, org_id)
    await repeat(ctx, signal, (ctx) =>
      deleteParts(ctx, id, expired ? ['rows', 'result', 'failures'] : ['rows'], partsAtOnce),
    )
    await repeat(ctx, signal, (ctx) => deleteKeys(ctx, id, keysAtOnce))
    await ctx.transaction((ctx) => (expired ? deleteTransfer(ctx, id) : saveWithoutInput(ctx, id)))
  }
}

async function repeat(
  ctx: Context,
  signal: AbortSignal | undefined,
  deleteSome: (ctx: Context) => Promise<number>,
): Promise<void> {
  for (let deleted = 1; deleted > 0; ) {
    signal?.throwIfAborted()
    deleted = await ctx.transaction(deleteSome)
  }
}
