import { actorId } from '../access/acting/acting.ts'
import { type Context, transaction } from '../context.ts'
import { conflict, notFound } from '../core/refusal.ts'
import type { WireRecord } from '../core/schema/revisions.ts'
import { newId } from '../core/values/ids.ts'
import { record } from '../events/record.ts'
import type { ReceivedTransfer } from './receive.ts'
import { requireRoom } from './room.ts'
import { type FoundTransfer, findTransfer, insertTransfer, lockState, saveEnd, saveReceived } from './store.ts'
import type { ExportOptions, TransferableKind } from './transferable.ts'
import { transferQueued } from './waking.ts'

/** The file has arrived: from now on its rows are worked off. */
export function queueImport(
  ctx: Context,
  received: ReceivedTransfer,
  { dryRun }: { dryRun: boolean },
): Promise<WireRecord & { id: string }> {
  return transaction(ctx, async (ctx) => {
    await requireRoom(ctx)
    if (received.unkept) await insertTransfer(ctx, received.unkept)
    await saveReceived(ctx, received.id, received, dryRun)
    return queued(ctx, received.id)
  })
}

export type ExportRequest = Omit<ExportOptions, 'revision'> & {
  scope: string
  scopes: readonly string[]
  keptDays: number
}

export function queueExport(
  ctx: Context,
  transferable: TransferableKind,
  { scope, scopes, keptDays, ...options }: ExportRequest,
): Promise<WireRecord & { id: string }> {
  return transaction(ctx, async (ctx) => {
    await requireRoom(ctx)
    const { total, revision } = await transferable.begin(ctx, options)
    const { objectKey, format, search } = options
    const id = newId()
    await insertTransfer(ctx, {
      ...{
        id,
        direction: 'export',
        state: 'queued',
        resource: transferable.resource,
        objectKey,
        format,
        dryRun: false,
      },
      ...{ scope, scopes, createdBy: await actorId(ctx), search, revision, total, keptDays },
    })
    return queued(ctx, id)
  })
}

/** What was written stays; the rest is not begun. */
export function cancelTransfer(ctx: Context, id: string): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const before = await lockState(ctx, id)
    if (!before) throw notFound('transfer', id)
    if (before === 'cancelled') return requireTransfer(ctx, id)
    if (before !== 'queued' && before !== 'running')
      throw conflict(
        'transfer_has_ended',
        `The transfer is ${before}; only one that is queued or running can be cancelled.`,
      )
    await saveEnd(ctx, id, 'cancelled')
    return recordTransfer(ctx, id, 'transfer.cancelled', { state: before })
  })
}

export async function requireTransfer(ctx: Context, id: string): Promise<FoundTransfer> {
  const found = await findTransfer(ctx, id)
  if (!found) throw notFound('transfer', id)
  return found
}

/** Writes down what happened to a transfer, with the transfer as it is now. */
export async function recordTransfer(
  ctx: Context,
  id: string,
  type: `transfer.${string}`,
  previous?: Record<string, unknown>,
): Promise<FoundTransfer> {
  const found = await requireTransfer(ctx, id)
  await record(ctx, {
    type,
    subject: { type: 'transfer', id },
    revision: found.revision,
    data: found.json,
    ...(previous && { previous }),
  })
  return found
}

async function queued(ctx: Context, id: string): Promise<WireRecord & { id: string }> {
  const { revision, json } = await recordTransfer(ctx, id, 'transfer.created')
  ctx.afterCommit(async () => transferQueued.announce())
  return { id, revision, json }
}
