import { setTimeout as sleep } from 'node:timers/promises'
import { actorId } from '../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { conflict, notFound, unavailable } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { newId } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import { type AccountingPeriod, type NewAccountingPeriod, requireForward } from './model.ts'
import {
  deletePeriod,
  findPeriod,
  insertPeriod,
  listStillWriting,
  listWriting,
  lockPeriod,
  saveClosed,
  saveOpen,
} from './store.ts'

export function createPeriod(ctx: Context, input: NewAccountingPeriod): Promise<WireRecord & { id: string }> {
  requireForward(input)
  return transaction(ctx, async (ctx) => {
    const id = newId()
    await insertPeriod(ctx, { id, ...input, createdBy: await actorId(ctx) })
    return { id, ...(await recordPeriod(ctx, 'created', id)) }
  })
}

/** From its answer on nothing that is dated in the period changes: whatever was under way is either there or refused. */
export function closePeriod(ctx: Context, id: string, expected: ExpectedRevision): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const { status } = await lock(ctx, id, expected)
    // Whoever has closed it a moment ago may still be waiting.
    awaitWrites(ctx)
    if (status === 'closed') return readBack(ctx, id)
    await saveClosed(ctx, id, await actorId(ctx))
    return recordPeriod(ctx, 'closed', id, { previous: { status, closed_at: null, closed_by: null } })
  })
}

export function reopenPeriod(
  ctx: Context,
  id: string,
  reason: string,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const { status, closed_at, closed_by } = await lock(ctx, id, expected)
    if (status === 'open') return readBack(ctx, id)
    await saveOpen(ctx, id)
    return recordPeriod(ctx, 'reopened', id, { previous: { status, closed_at, closed_by }, reason })
  })
}

export function removePeriod(ctx: Context, id: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { status } = await lock(ctx, id, expected)
    if (status === 'closed')
      throw conflict('period_is_closed', 'A closed period cannot be deleted. Reopen it first, with a reason.')
    await recordPeriod(ctx, 'deleted', id)
    await deletePeriod(ctx, id)
  })
}

/** The longest wait for the writes that were under way when a period was closed. */
const longestMs = 30_000

/**
 * A write that looked for closed periods before this one was closed has begun to write by then, and may not have ended. Those that were under way at that
 * moment are waited for; what begins later finds the period closed.
 */
function awaitWrites({ org, afterCommit }: Context): void {
  afterCommit(async (database) => {
    const since = performance.now()
    let writing = await listWriting(database, org)
    for (let pause = 2; writing.length > 0; pause = Math.min(pause * 2, 100)) {
      if (performance.now() - since > longestMs)
        throw unavailable(
          'The period is closed, but what was being written at that moment has not ended yet. Close it again to wait for it.',
        )
      await sleep(pause)
      writing = await listStillWriting(database, org, writing)
    }
  })
}

async function lock(ctx: Context, id: string, expected: ExpectedRevision): Promise<AccountingPeriod> {
  const current = await lockPeriod(ctx, id)
  if (!current) throw notFound('accounting period', id)
  requireExpected(expected, current.revision)
  return current
}

type Noted = { previous?: Record<string, unknown>; reason?: string }

/** Answers the period as it is now. */
async function recordPeriod(
  ctx: Context,
  verb: string,
  id: string,
  { previous, reason }: Noted = {},
): Promise<WireRecord> {
  const { revision, json } = await readBack(ctx, id)
  const data = reason === undefined ? json : JSON.stringify({ ...JSON.parse(json), reason })
  await record(ctx, {
    type: `accounting_period.${verb}`,
    subject: { type: 'accounting_period', id },
    revision,
    data,
    ...(previous && { previous }),
  })
  return { revision, json }
}

async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findPeriod(ctx, id)
  if (!found) throw new Error(`accounting period ${id} is missing within its own transaction`)
  return found
}
