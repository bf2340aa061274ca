import type { Database } from '../database.ts'
import type { Run } from '../sql/rows.ts'
import { type Statement, sql } from '../sql/sql.ts'
import { onChanges, type Tally } from './tallies.ts'

/** `bucket` as text: the first of all levels begins before every date. */
type Bucket = { tally: string; level: number; bucket: string; label: string; n: string; folded: number }

/** The tally of a name, for looking at its records; one that nobody knows any more is folded all the same. */
export type FindTally = (name: string) => Tally | undefined

/** Next to the organization's own number: what this lock is for. */
const lock = 4_051_727
/** Up to this many changes of an organization are cheaper to add up than to fold. */
const bearable = 256
/** One transaction takes no longer than it needs for so many. */
const atOnce = 20_000
/** An hour that holds more than this is counted by the minute and the second too. */
export const denseHour = 2000

/** Folds the changes of all organizations that have many. */
export async function foldAll(database: Database, find: FindTally, signal?: AbortSignal): Promise<void> {
  await foldEach(database, find, await organizationsWithMany(database), signal)
}

/** Folds the changes of organizations that this process writes to often, as soon as there are many: nobody else knows of them so early. */
export function foldingJobHere(database: Database, find: FindTally) {
  const written = new Map<string, number>()
  const many = new Set<string>()
  return {
    async run(signal: AbortSignal): Promise<void> {
      const orgs = [...many]
      many.clear()
      await foldEach(database, find, orgs, signal)
    },
    wokenBy: (wake: () => void) =>
      onChanges((org) => {
        const writes = (written.get(org) ?? 0) + 1
        // About two changes of the counts for each write.
        const enough = writes * 2 >= bearable
        if (enough) written.delete(org)
        else written.set(org, writes)
        if (!enough) return
        many.add(org)
        wake()
      }),
  }
}

/** A failure of one organization does not keep the others from their turn. */
async function foldEach(
  database: Database,
  find: FindTally,
  orgs: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const errors: unknown[] = []
  for (const org of orgs) {
    signal?.throwIfAborted()
    await foldTallies(database, find, org).catch((error) => errors.push(error))
  }
  if (errors.length > 0)
    throw errors.length === 1
      ? errors[0]
      : new AggregateError(errors, `${errors.length} organizations could not be folded: ${errors[0]}`)
}

/** Moves the changes of one organization into its counts, unless another process is at it. */
export async function foldTallies(database: Database, find: FindTally, org: string): Promise<void> {
  for (let folded = atOnce; folded === atOnce; )
    folded = await database.transaction(org, (run) => foldSome(run, find, org))
}

/** One transaction: a change is in exactly one of the two places at any moment that anyone can see. */
async function foldSome(run: Run, find: FindTally, org: string): Promise<number> {
  const [turn] = await run<{ mine: boolean }>(
    sql`select pg_try_advisory_xact_lock(${lock}, hashtext(${org}::text)) as mine from organizations where org_id = ${org}`,
  )
  if (!turn?.mine) return 0
  const touched = await fold(run, org)
  await deleteEmpty(run, org, touched)
  const hours = touched.filter(({ level }) => level === 3)
  for (const name of new Set(hours.map(({ tally }) => tally))) {
    const tally = find(name)
    const buckets = hours.filter((hour) => hour.tally === name).map(({ bucket }) => bucket)
    if (tally) await splitDense(run, org, tally, [...new Set(buckets)])
  }
  return touched[0]?.folded ?? 0
}

/** Counts anew from the records themselves: for records that were written without the tallies, and to correct them after a fault of ours. */
export async function recountTally(database: Database, tally: Tally, org: string): Promise<void> {
  await database.transaction(org, async (run) => {
    // Takes as long as there are records to count.
    await run({ text: 'set local statement_timeout = 0; set local lock_timeout = 0', values: [] })
    await run(
      sql`select pg_advisory_xact_lock(${lock}, hashtext(${org}::text)) from organizations where org_id = ${org}`,
    )
    await run(sql`delete from tallies where org_id = ${org} and tally = ${tally.name}`)
    await run(sql`
      insert into tallies (org_id, tally, level, bucket, label, n)
      select own.org_id, ${tally.name}, level, bucket, label, sum(n) from organizations own cross join (${standing(org, tally, sql`true`, sql`true`)}) standing
      cross join lateral (values ${always}) as within(level, bucket) where own.org_id = ${org} group by own.org_id, level, bucket, label having sum(n) <> 0`)
    const hours = await run<{ bucket: string }>(
      sql`select distinct bucket::text as bucket from tallies where org_id = ${org} and tally = ${tally.name} and level = 3`,
    )
    await splitDense(
      run,
      org,
      tally,
      hours.map(({ bucket }) => bucket),
    )
  })
}

/** The levels that every record is counted on, and those of dense hours, by a time called `at`. */
export const always = sql`(0, '-infinity'), (1, date_trunc('month', at, 'UTC')), (2, date_trunc('day', at, 'UTC')), (3, date_trunc('hour', at, 'UTC'))`
export const whereDense = sql`(4, date_trunc('minute', at, 'UTC')), (5, date_trunc('second', at, 'UTC'))`

/** In the order of the key, so that two who should meet in spite of the lock meet in one order. */
async function fold(run: Run, org: string): Promise<Bucket[]> {
  return run<Bucket>(sql`
    with gone as (
      delete from tally_changes where org_id = ${org} and (tally, id) in (select tally, id from tally_changes where org_id = ${org} limit ${atOnce})
      returning tally, label, at, n
    ), levels as (
      select tally, level, bucket, label, n from gone cross join lateral (values ${always}) as within(level, bucket)
      union all select tally, level, bucket, label, n from gone cross join lateral (values ${whereDense}) as within(level, bucket)
        where exists (select from tallies f where f.org_id = ${org} and f.tally = gone.tally and f.level = 4
          and f.bucket >= date_trunc('hour', gone.at, 'UTC') and f.bucket < date_trunc('hour', gone.at, 'UTC') + interval '1 hour')
    ), counted as (
      insert into tallies as t (org_id, tally, level, bucket, label, n)
      select own.org_id, tally, level, bucket, label, sum(n) from organizations own cross join levels where own.org_id = ${org}
      group by own.org_id, tally, level, bucket, label having sum(n) <> 0 order by tally, level, bucket, label
      on conflict (org_id, tally, level, bucket, label) do update set n = t.n + excluded.n
      returning tally, level, bucket::text, label, n)
    select counted.*, (select count(*)::int from gone) as folded from counted`)
}

async function deleteEmpty(run: Run, org: string, touched: readonly Bucket[]): Promise<void> {
  const empty = touched.filter(({ n }) => n === '0')
  if (empty.length === 0) return
  await run(sql`
    delete from tallies t using jsonb_to_recordset(${JSON.stringify(empty)}::text::jsonb) as e(tally text, level smallint, bucket timestamptz, label text)
    where t.org_id = ${org} and t.tally = e.tally and t.level = e.level and t.bucket = e.bucket and t.label = e.label and t.n = 0`)
}

/** The finer counts of hours that have become dense: what is there, less what is still to be folded, in one snapshot. */
async function splitDense(run: Run, org: string, tally: Tally, hours: readonly string[]): Promise<void> {
  const dense = await run<{ bucket: string }>(sql`
    select bucket::text as bucket from tallies t where org_id = ${org} and tally = ${tally.name} and level = 3 and bucket = any(${hours}::timestamptz[]) and not exists (
      select from tallies f where f.org_id = ${org} and f.tally = ${tally.name} and f.level = 4 and f.bucket >= t.bucket and f.bucket < t.bucket + interval '1 hour')
    group by t.bucket having sum(n) > ${denseHour}`)
  for (const { bucket } of dense) {
    const within = (at: Statement) =>
      sql`${at} >= ${bucket}::timestamptz and ${at} < ${bucket}::timestamptz + interval '1 hour'`
    await run(sql`
      insert into tallies (org_id, tally, level, bucket, label, n)
      select own.org_id, ${tally.name}, level, bucket, label, sum(n) from organizations own cross join (${standing(org, tally, within(tally.at), within(sql`at`))}) standing
      cross join lateral (values ${whereDense}) as within(level, bucket) where own.org_id = ${org} group by own.org_id, level, bucket, label having sum(n) <> 0`)
  }
}

function standing(
  org: string,
  { name, table, where, label, at }: Tally,
  rows: Statement,
  changes: Statement,
): Statement {
  return sql`
    select ${label} as label, ${at} as at, 1 as n from ${table} where org_id = ${org} and ${where} and ${label} is not null and ${rows}
    union all select label, at, -n from tally_changes where org_id = ${org} and tally = ${name} and ${changes}`
}

async function organizationsWithMany({ pool }: Database): Promise<string[]> {
  const rows = await pool.run<{ org_id: string }>(
    sql`select org_id from tally_changes group by org_id having count(*) > ${bearable}`,
  )
  return rows.map(({ org_id }) => org_id)
}
