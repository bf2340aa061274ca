import type { Pool } from '../db/pool/connect.ts'
import { attempt, type RunObserver } from './attempt.ts'
import type { Job } from './job.ts'
import { saveOutcomeHere } from './store.ts'

type Parts = { pool: Pool; reporting: RunObserver; stopping: AbortSignal }

/** A job that this process runs for itself. `wake` starts a run; during one it asks for another right after it. `ended` waits for both. */
export function ownJob(job: Job, { pool, reporting, stopping }: Parts): { wake(): void; ended(): Promise<void> } {
  /** Not known at first: a process that was stopped or killed may have left a failure in the table. */
  let failing = true
  let wanted = false
  let running: Promise<void> | null = null

  function wake(): void {
    wanted = true
    running ??= runWhileWanted().finally(() => {
      running = null
    })
  }

  async function runWhileWanted(): Promise<void> {
    while (wanted && !stopping.aborted) {
      wanted = false
      await runOnce()
    }
  }

  /** Runs often: only what changes is written to the table. */
  async function runOnce(): Promise<void> {
    const outcome = await attempt(job, stopping, stopping, reporting)
    if (outcome === 'stopped' || (outcome === 'succeeded' && !failing)) return
    // A success that could not be saved is saved by the next one: until then the table has the failure before it.
    failing = true
    try {
      await saveOutcomeHere(pool, job.name, outcome === 'succeeded' ? null : outcome.error)
      failing = outcome !== 'succeeded'
    } catch (error) {
      reporting.log.warn({ job: job.name, err: error }, 'the outcome of a background job could not be saved')
    }
  }

  return { wake, ended: async () => running ?? undefined }
}
