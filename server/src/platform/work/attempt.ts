import type { Job } from './job.ts'

/** Where the outcome of a run is shown, besides the table. */
export type RunObserver = {
  log: {
    debug(facts: object, message: string): void
    warn(facts: object, message: string): void
    error(facts: object, message: string): void
  }
  observe(job: string, succeeded: boolean, seconds: number): void
}

export type Outcome = 'succeeded' | 'stopped' | { error: string }

/** Runs a job once. Never throws: a job that fails must not end the process. */
export async function attempt(
  job: Job,
  signal: AbortSignal,
  stopping: AbortSignal,
  { log, observe }: RunObserver,
): Promise<Outcome> {
  if (stopping.aborted) return 'stopped'
  const since = performance.now()
  try {
    await job.run(signal)
  } catch (error) {
    if (stopping.aborted) return 'stopped'
    observe(job.name, false, (performance.now() - since) / 1000)
    log.error({ job: job.name, err: error }, 'a background job failed; it runs again in its next period')
    return { error: messageOf(error) }
  }
  observe(job.name, true, (performance.now() - since) / 1000)
  log.debug({ job: job.name }, 'a background job is done')
  return 'succeeded'
}

/** What an operator reads; the whole error is in the log. */
function messageOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error).slice(0, 1_000) || 'unknown'
}
