import type { Context } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { systemContext } from '../../organizations/actions.ts'
import { deleteDeletedWebhooks, deleteOldDeliveries, listOrganizationsWithWebhooks } from './attempts-store.ts'

/** One transaction deletes about so many. */
const atOnce = 1_000

/** Deletes deliveries with their attempts that were made more than so many days ago, those of webhooks that were deleted, and then these. */
export async function deleteOldWebhookDeliveries(
  database: Database,
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  for (const org of await listOrganizationsWithWebhooks(database.pool))
    await deleteOldIn(systemContext(database, org), Date.now() - days * 86_400_000, signal)
}

/** In one organization, what was made before this moment. */
export async function deleteOldIn(ctx: Context, beforeMs: number, signal?: AbortSignal): Promise<void> {
  const before = firstIdAt(beforeMs)
  for (let deleted = atOnce; deleted > 0; ) {
    signal?.throwIfAborted()
    deleted = await ctx.transaction((ctx) => deleteOldDeliveries(ctx, before, atOnce))
  }
  await ctx.transaction(deleteDeletedWebhooks)
}

/** Ids begin with the time at which they were made. */
function firstIdAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
