import { type Context, transaction } from '../../platform/context.ts'
import type { Database } from '../../platform/db/database.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { findSummary, listBehind, type SummaryParts, saveSummary } from './summary-store.ts'

/** The summary that is kept. Of an organization that has none yet it is put together first, once. */
export async function readSummary(ctx: Context, parts: SummaryParts): Promise<string> {
  const kept = await findSummary(ctx, parts)
  if (kept) return kept
  return transaction(ctx, async (ctx) => {
    await saveSummary(ctx)
    return (await findSummary(ctx, parts)) as string
  })
}

/** The background job: every summary that is behind. */
export async function refreshSummaries(database: Database, signal?: AbortSignal): Promise<void> {
  for (const org of await listBehind(database.pool)) {
    signal?.throwIfAborted()
    await systemContext(database, org).transaction(saveSummary)
  }
}
