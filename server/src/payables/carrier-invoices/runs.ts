import { type Actor, type Context, contextFor, transaction } from '../../platform/context.ts'
import { announcements } from '../../platform/core/announcements.ts'
import { newId } from '../../platform/core/values/ids.ts'
import type { Database } from '../../platform/db/database.ts'
import { record } from '../../platform/events/record.ts'
import { workInTurns } from '../../platform/work/queue/turns.ts'
import { auditInvoices, type Counts } from './audit.ts'
import { lockOpen } from './received/store.ts'
import {
  findRun,
  insertRun,
  listOpenIds,
  listRunning,
  lockRun,
  type Run,
  saveFailure,
  saveProgress,
} from './runs-store.ts'

/** A run was asked for in this process. */
const asked = announcements<[]>()

/** As many invoices are one transaction. */
const lotSize = 200

/** Audits every open invoice that is there now, in the background. Answers the run. */
export function startRun(ctx: Context, partner_carrier_ids: readonly string[] | null): Promise<string> {
  return transaction(ctx, async (ctx) => {
    const id = newId()
    await insertRun(ctx, { id, partner_carrier_ids, until_id: newId(), actor: ctx.actor })
    ctx.afterCommit(async () => asked.announce())
    return recordRun(ctx, id, 'created')
  })
}

/** The background job: works off all runs, one lot of each organization after the other. Other processes do the same at the same time. */
export function auditJob(database: Database) {
  return { run: (signal: AbortSignal) => auditAll(database, signal), wokenBy: asked.listen }
}

/** A lot of each organization after the other. A run that fails says so, and does not keep the others from their turn. */
export function auditAll(database: Database, signal?: AbortSignal): Promise<void> {
  return workInTurns({
    list: () => listRunning(database.pool),
    keyOf: ({ org_id }) => org_id,
    async work({ org_id: org, id, actor }) {
      const ctx = contextFor(database, { org, actor: actor as Actor })
      return auditLot(ctx, id).catch((error) => fail(ctx, id, error))
    },
    signal,
  })
}

/** What it writes and how far the run has come are one transaction. False where another process is at it, or nothing is left. */
function auditLot(ctx: Context, id: string): Promise<boolean> {
  return transaction(ctx, async (ctx) => {
    const run = await lockRun(ctx, id)
    if (!run) return false
    const ids = await listOpenIds(ctx, run, lotSize)
    const counts = await auditInvoices(ctx, await lockOpen(ctx, ids))
    const isLast = ids.length < lotSize
    await saveProgress(ctx, id, {
      done: ids.length,
      last_id: ids.at(-1) ?? run.last_id,
      counts: added(run.counts, counts),
      isLast,
    })
    if (isLast) await recordRun(ctx, id, 'done')
    return true
  })
}

function added(before: Run['counts'], counts: Counts): Run['counts'] {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, (before[name] ?? 0) + count]))
}

async function fail(ctx: Context, id: string, error: unknown): Promise<boolean> {
  const { code } = error as { code?: unknown }
  // Others held what the lot needs: it is tried again in the next round.
  if (code === '55P03' || code === '57014') return false
  await ctx.transaction(async (ctx) => {
    await saveFailure(ctx, id, 'Something went wrong on our side while invoices were audited. It is in the log.')
    await recordRun(ctx, id, 'failed')
  })
  throw error
}

/** Answers the run as it is now. */
async function recordRun(ctx: Context, id: string, verb: string): Promise<string> {
  const data = (await findRun(ctx, id)) as string
  await record(ctx, { type: `audit_run.${verb}`, subject: { type: 'audit_run', id }, data })
  return data
}
