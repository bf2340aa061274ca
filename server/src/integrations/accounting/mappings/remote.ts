import type { Context } from '../../../platform/context.ts'
import { conflict, Refusal, unavailable } from '../../../platform/core/refusal.ts'
import { type RemoteEntry, RemoteFault } from '../adapters/adapter.ts'
import type { RemoteList } from '../catalogue.ts'
import { requireConnection } from '../connections/reading.ts'
import { openClient, type Parts } from '../connections/tokens.ts'

/** What the accounting system has, by name. */
export async function listRemote(ctx: Context, parts: Parts, id: string, list: RemoteList): Promise<RemoteEntry[]> {
  const connection = await requireConnection(ctx, id)
  const { adapter, client } = openClient(ctx, parts, connection)
  try {
    return (await adapter.list(client, list)).sort((one, other) =>
      one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1,
    )
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error
    if (error.kind === 'sign_in') throw conflict('needs_sign_in', error.message)
    if (error.kind === 'refused' || error.kind === 'gone' || error.kind === 'stale')
      throw new Refusal('conflict', 'refused_there', error.message)
    throw unavailable(error.message, error, Math.ceil(error.retryAfterMs / 1000) || 1)
  }
}
