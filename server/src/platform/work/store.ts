import type { Pool } from '../db/pool/connect.ts'
import { join, sql } from '../db/sql/sql.ts'

/** `abandonedBy` is who had the job before and let the lease pass without a word. */
export type TakenJob = { name: string; abandonedBy: string | null }

/** They are due at once: the column rounds to milliseconds, and a time that was rounded up is not reached by a statement that follows at once. */
export async function insertJobs(pool: Pool, names: readonly string[]): Promise<void> {
  await pool.run(
    sql`insert into background_jobs (name, due_at) values ${join(
      names.map((name) => sql`(${name}, date_trunc('milliseconds', statement_timestamp()))`),
      sql`, `,
    )} on conflict (name) do nothing`,
  )
}

/** A background job by its name, and how often it runs. */
export type PeriodicJob = { name: string; everySeconds: number }

/**
 * Takes those that are due and that nobody holds. Of several processes that ask at the same time one gets a job; the others do not wait for it. One that
 * is due later than in a period, or leased for longer than a lease, was noted by a clock that was ahead: it is due, and nobody holds it.
 */
export async function takeDueJobs(
  pool: Pool,
  jobs: readonly PeriodicJob[],
  runner: string,
  leaseMs: number,
): Promise<TakenJob[]> {
  return pool.run<TakenJob>(sql`
    with asked as (
      select name, statement_timestamp() + seconds * interval '1 second' as latest, statement_timestamp() + ${leaseMs} * interval '2 milliseconds' as longest
      from unnest(${jobs.map(({ name }) => name)}::text[], ${jobs.map(({ everySeconds }) => everySeconds)}::int[]) as asked(name, seconds)),
    due as (
      select b.name, b.runner from background_jobs b join asked using (name)
      where (b.due_at <= statement_timestamp() or b.due_at > asked.latest)
        and (b.leased_until is null or b.leased_until <= statement_timestamp() or b.leased_until > asked.longest)
      for update of b skip locked)
    update background_jobs j
    set runner = ${runner}, leased_until = statement_timestamp() + ${leaseMs} * interval '1 millisecond', started_at = statement_timestamp()
    from due where j.name = due.name returning j.name, due.runner as "abandonedBy"`)
}

/** False where the lease has passed to another. */
export async function renewLease(pool: Pool, name: string, runner: string, leaseMs: number): Promise<boolean> {
  const rows = await pool.run(sql`
    update background_jobs set leased_until = statement_timestamp() + ${leaseMs} * interval '1 millisecond'
    where name = ${name} and runner = ${runner} returning name`)
  return rows.length === 1
}

/** The next run is due one period after the start of this one. */
export async function saveSuccess(pool: Pool, name: string, runner: string, everySeconds: number): Promise<void> {
  const due = await dueAfter(pool, name, everySeconds)
  await pool.run(sql`
    update background_jobs set runner = null, leased_until = null, due_at = coalesce(${due}::timestamptz, due_at),
      succeeded_at = statement_timestamp(), failures = 0
    where name = ${name} and runner = ${runner}`)
}

export async function saveFailure(
  pool: Pool,
  name: string,
  runner: string,
  everySeconds: number,
  error: string,
): Promise<void> {
  const due = await dueAfter(pool, name, everySeconds)
  await pool.run(sql`
    update background_jobs set runner = null, leased_until = null, due_at = coalesce(${due}::timestamptz, due_at),
      failed_at = statement_timestamp(), failures = failures + 1, error = ${error}
    where name = ${name} and runner = ${runner}`)
}

/** Asked for apart: on a cluster no update may add to the time of a row. */
async function dueAfter(pool: Pool, name: string, everySeconds: number): Promise<Date | null> {
  const [row] = await pool.run<{ due: Date | null }>(
    sql`select started_at + ${everySeconds} * interval '1 second' as due from background_jobs where name = ${name}`,
  )
  return row?.due ?? null
}

/** Gives a job back that was stopped in the middle: it is due at once, for another process. */
export async function releaseLease(pool: Pool, name: string, runner: string): Promise<void> {
  await pool.run(
    sql`update background_jobs set runner = null, leased_until = null where name = ${name} and runner = ${runner}`,
  )
}

/** For jobs of each process, which nobody takes: `error` is null where one that had failed has succeeded again. */
export async function saveOutcomeHere(pool: Pool, name: string, error: string | null): Promise<void> {
  await pool.run(sql`
    insert into background_jobs as j (name, started_at, succeeded_at, failed_at, failures, error)
    values (${name}, statement_timestamp(), case when ${error}::text is null then statement_timestamp() end, case when ${error}::text is not null then statement_timestamp() end,
      case when ${error}::text is null then 0 else 1 end, ${error}::text)
    on conflict (name) do update set started_at = excluded.started_at, succeeded_at = coalesce(excluded.succeeded_at, j.succeeded_at),
      failed_at = coalesce(excluded.failed_at, j.failed_at), error = coalesce(excluded.error, j.error),
      failures = case when excluded.failures = 0 then 0 else j.failures + 1 end`)
}

export type FailingJob = { name: string; failures: number; failed_at: Date; error: string }

export async function listFailing(pool: Pool, names: readonly string[]): Promise<FailingJob[]> {
  return pool.run<FailingJob>(sql`
    select name, failures, failed_at, error from background_jobs where name = any(${names}::text[]) and failures > 0 order by name`)
}
