import type { Database } from '../db/database.ts'
import { listFailing } from './store.ts'

/** A sentence for each of these jobs whose last run failed. */
export async function failingJobs(database: Database, names: string[]): Promise<string[]> {
  const failing = await listFailing(database.pool, names)
  return failing.map(
    ({ name, failures, failed_at, error }) =>
      `"${name}" has failed ${failures} times, last at ${failed_at.toISOString()}: ${error}`,
  )
}
