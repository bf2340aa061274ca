import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { keepLease } from '../core/turns/leases.ts'
import type { Pool } from '../db/pool/connect.ts'
import { attempt, type RunObserver } from './attempt.ts'
import type { Job } from './job.ts'
import { insertJobs, releaseLease, renewLease, saveFailure, saveSuccess, takeDueJobs } from './store.ts'

type Parts = { pool: Pool; jobs: readonly Job[]; reporting: RunObserver; stopping: AbortSignal; leaseMs: number }

/** The jobs that one process at a time runs for all of them. `look` takes what is due and runs it; `running` are the names of those. */
export function sharedJobs({ pool, jobs, reporting, stopping, leaseMs }: Parts) {
  const runner = `${hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`
  const known = new Map(jobs.map((job) => [job.name, job]))
  const running = new Set<string>()
  let inserted = false

  async function look(): Promise<void> {
    const idle = [...known.values()].filter(({ name }) => !running.has(name))
    if (idle.length === 0 || stopping.aborted) return
    if (!inserted)
      await insertJobs(
        pool,
        idle.map(({ name }) => name),
      )
    inserted = true
    const taken = await takeDueJobs(pool, idle, runner, leaseMs)
    for (const { name, abandonedBy } of taken) {
      if (abandonedBy)
        reporting.log.warn(
          { job: name, abandoned_by: abandonedBy },
          'the process that ran a background job did not finish it; it runs again',
        )
    }
    await Promise.all(taken.map(({ name }) => run(known.get(name) as Job)))
  }

  async function run(job: Job): Promise<void> {
    const { name, everySeconds } = job
    running.add(name)
    const lease = keepLease(() => renewLease(pool, name, runner, leaseMs), leaseMs)
    try {
      const outcome = await attempt(job, AbortSignal.any([stopping, lease.lost]), stopping, reporting)
      if (outcome === 'stopped') await releaseLease(pool, name, runner)
      else if (outcome === 'succeeded') await saveSuccess(pool, name, runner, everySeconds)
      else await saveFailure(pool, name, runner, everySeconds, outcome.error)
    } finally {
      lease.stopRenewing()
      running.delete(name)
    }
  }

  return { look, running }
}
