import { setTimeout as sleep } from 'node:timers/promises'
import { leaseMs as usualLeaseMs } from '../core/turns/leases.ts'
import type { Pool } from '../db/pool/connect.ts'
import type { RunObserver } from './attempt.ts'
import type { Job } from './job.ts'
import { ownJob } from './own-jobs.ts'
import { sharedJobs } from './shared-jobs.ts'

export type Scheduler = {
  /** Takes what is due and runs it to its end. A timer calls it, and so may a test. */
  look(): Promise<void>
  /** Asks what is running to stop, and waits for it a while. Nothing is started afterwards. */
  stop(): Promise<void>
}

type Parts = RunObserver & { pool: Pool; jobs: readonly Job[] }
type Times = { lookEveryMs?: number; leaseMs?: number; stopWithinMs?: number }

/** Runs the jobs in this process, and shares those of `one process` with all others on the same database. */
export function startWork(
  { pool, jobs, ...reporting }: Parts,
  { lookEveryMs = 5_000, leaseMs = usualLeaseMs, stopWithinMs = 5_000 }: Times = {},
): Scheduler {
  const stop = new AbortController()
  const parts = { pool, reporting, stopping: stop.signal }
  const shared = sharedJobs({ ...parts, jobs: jobs.filter(({ runsOn }) => runsOn === 'one process'), leaseMs })
  const looks = new Set<Promise<void>>()
  const look = () => {
    const looking = shared.look().finally(() => looks.delete(looking))
    looks.add(looking)
    return looking
  }
  const lookQuietly = () =>
    void look().catch((err) => reporting.log.warn({ err }, 'could not take, or save the outcome of, background jobs'))

  const timers = [setInterval(lookQuietly, lookEveryMs)]
  const own = jobs
    .filter(({ runsOn }) => runsOn === 'each process')
    .map((job) => {
      const { wake, ended } = ownJob(job, parts)
      timers.push(setInterval(wake, job.everySeconds * 1000))
      return { name: job.name, ended, stopWaking: job.wokenBy?.(wake) }
    })
  for (const timer of timers) timer.unref()
  lookQuietly()

  return {
    look,
    async stop() {
      stop.abort()
      for (const timer of timers) clearInterval(timer)
      for (const { stopWaking } of own) stopWaking?.()
      const ended = Promise.allSettled([...looks, ...own.map((job) => job.ended())])
      const late = await Promise.race([ended.then(() => false), sleep(stopWithinMs, true, { ref: false })])
      if (late)
        reporting.log.warn(
          { jobs: [...shared.running] },
          'background jobs did not stop in time; another process runs them once their lease has passed',
        )
    },
  }
}
