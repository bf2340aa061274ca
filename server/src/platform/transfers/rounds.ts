import { setTimeout as sleep } from 'node:timers/promises'
import { contextFor } from '../context.ts'
import { Refusal } from '../core/refusal.ts'
import { restAfter } from '../core/tables/lots.ts'
import type { Database } from '../db/database.ts'
import { workInTurns } from '../work/queue/turns.ts'
import { recordTransfer } from './actions.ts'
import { workLot } from './lots.ts'
import { listTurns, saveAttempt, saveEnd, type Turn } from './store.ts'
import type { TransferableKind } from './transferable.ts'
import { transferQueued } from './waking.ts'

/** A lot that fails as often as this in a row will not succeed: the fault is ours, or in the data. */
const mostAttempts = 10

/** The background job: works off all transfers, one lot of each organization after the other. Other processes do the same at the same time. */
export function transferJob(database: Database, transferables: readonly TransferableKind[]) {
  return {
    run: (signal: AbortSignal) => workAll(database, transferables, signal),
    wokenBy: transferQueued.listen,
  }
}

/** A lot of each organization after the other: a large import of one delays a small one of another by a lot at most. */
export function workAll(
  database: Database,
  transferables: readonly TransferableKind[],
  signal?: AbortSignal,
): Promise<void> {
  return workInTurns({
    list: () => listTurns(database.pool),
    keyOf: ({ org_id }) => org_id,
    async work(turn) {
      const since = performance.now()
      const done = await workTurn(database, transferables, turn)
      // An export has nobody's locks, so it can rest for as long as it worked.
      if (done && turn.direction === 'export') await sleep(restAfter(performance.now() - since))
      return done
    },
    signal,
  })
}

async function workTurn(database: Database, transferables: readonly TransferableKind[], turn: Turn): Promise<boolean> {
  const { org_id: org, id, actor, request_id: requestId, scopes, rights } = turn
  const ctx = contextFor(database, {
    org,
    actor,
    requestId,
    scopes: new Set(scopes),
    rights: rights ? new Set(rights) : undefined,
  })
  try {
    return await workLot(ctx, transferables, id)
  } catch (error) {
    // What refuses the whole lot refuses it the next time too, such as a kind of object that is gone.
    const refused = error instanceof Refusal && error.kind !== 'unavailable'
    await ctx.transaction(async (ctx) => {
      const attempts = await saveAttempt(ctx, id)
      if (attempts === 0 || (!refused && (isBusy(error) || attempts < mostAttempts))) return
      const why = refused
        ? error
        : {
            code: 'internal_error',
            message: 'Something went wrong on our side while its rows were worked off. It is in the log.',
          }
      await saveEnd(ctx, id, 'failed', why)
      await recordTransfer(ctx, id, 'transfer.failed', { state: 'running' })
    })
    if (refused || isBusy(error)) return true
    throw error
  }
}

/** Others held what the lot needs, or the database was away: it is tried again, however often that happens. */
function isBusy(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return (error instanceof Refusal && error.kind === 'unavailable') || code === '55P03' || code === '57014'
}
