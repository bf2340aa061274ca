import { jobsOf } from '../../jobs.ts'
import type { Settings } from '../../settings.ts'
import type { Database } from '../db/database.ts'
import { listFailing } from './store.ts'

/** A sentence for each job whose last run failed. */
export async function failingJobs(database: Database, settings: Settings): Promise<string[]> {
  const names = jobsOf(database, settings).map(({ name }) => name)
  const failing = await listFailing(database.pool, names)
  return failing.map(
    ({ name, failures, failed_at, error }) =>
      `"${name}" has failed ${failures} times, last at ${failed_at.toISOString()}: ${error}`,
  )
}
