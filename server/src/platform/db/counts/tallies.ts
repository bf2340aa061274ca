import { randomUUID } from 'node:crypto'
import type { Run } from '../sql/rows.ts'
import { join, nothing, type Statement, sql } from '../sql/sql.ts'

/**
 * A kind of record whose number is known without counting. `kind` is what a row counts as, `'bill'` or an expression over its columns; where
 * `label` is null the row does not count at all.
 */
export type CountedTable = {
  table: Statement
  kind: Statement
  label: Statement
  times: Readonly<Record<string, Statement>>
}

/** The records of one kind along one of their times. `where` picks them from their table; the columns are written as the table has them. */
export type Tally = { name: string; table: Statement; where: Statement; label: Statement; at: Statement }

type Writer = { readonly org: string; readonly run: Run }

/** The tallies of one kind, by the names of its times. */
export function talliesOf<T extends CountedTable>(
  { table, label, times }: T,
  kind: string,
  where: Statement = sql`true`,
): Record<keyof T['times'], Tally> {
  return Object.fromEntries(
    Object.entries(times).map(([time, at]) => [time, { name: `${kind}.${time}`, table, where, label, at }]),
  ) as Record<keyof T['times'], Tally>
}

/** Inserts rows and counts them; answers how many. The statement has no `returning` of its own, here and below. */
export async function insertCounted({ org, run }: Writer, counted: CountedTable, insert: Statement): Promise<number> {
  const made = await run<Facts>(sql`${insert} returning ${facts(counted)}`)
  await noteMoved({ org, run }, counted, [], made)
  return made.length
}

/**
 * Updates the rows that `which` names, and counts them as what they have become. `update` takes them from the sub-select that it is given, by `was.row_id`,
 * which has each row as it was. The caller holds their locks.
 */
export async function updateCounted(
  { org, run }: Writer,
  counted: CountedTable,
  which: Statement,
  update: (was: Statement) => Statement,
): Promise<void> {
  const { kind, label, times } = counted
  const was = sql`(select id as row_id, ${kind} as old_kind, ${label} as old_label, array[${join(Object.values(times), sql`, `)}] as old_times
    from ${counted.table} where org_id = ${org} and ${which}) was`
  const rows = await run<Facts & { old_kind: string; old_label: string | null; old_times: Date[] }>(
    sql`${update(was)} returning ${facts(counted)}, was.old_kind, was.old_label, was.old_times`,
  )
  const before = rows.map(({ old_kind, old_label, old_times }) => ({
    kind: old_kind,
    label: old_label,
    times: old_times,
  }))
  await noteMoved({ org, run }, counted, before, rows)
}

/** Deletes the rows that `which` names, and counts them no more. The caller holds their locks. */
export async function deleteCounted({ org, run }: Writer, counted: CountedTable, which: Statement): Promise<void> {
  const gone = await run<Facts>(
    sql`delete from ${counted.table} where org_id = ${org} and ${which} returning ${facts(counted)}`,
  )
  await noteMoved({ org, run }, counted, gone, [])
}

/** What is asked of a tally, in SQL: whose, and with which labels, all of them where there is none; and its name, where that stands elsewhere. */
export type Question = { org: Statement; tally: Tally; labels: Statement | undefined; name?: Statement }

/** How many there are at this moment. */
export function countAll({ org, tally, labels, name = sql`${tally.name}` }: Question): Statement {
  return sql`(select coalesce(sum(n), 0) from (
    select n from tallies where org_id = ${org} and tally = ${name} and level = 0 and bucket = '-infinity' ${among(sql`label`, labels)}
    union all select n from tally_changes where org_id = ${org} and tally = ${name} ${among(sql`label`, labels)}) counted)`
}

/**
 * How many of them lie before a time: whole months, days, hours, and what is left over row by row. `offset 0` keeps it at five looks into the
 * index; joined in another way the whole tally would be read.
 */
export function countBefore({ org, tally, labels, name = sql`${tally.name}` }: Question, time: Statement): Statement {
  const { table, where, label, at } = tally
  const edge = sql`case when dense then second else hour end`
  return sql`(
    with given as (
      select x, date_trunc('month', x, 'UTC') as month, date_trunc('day', x, 'UTC') as day, date_trunc('hour', x, 'UTC') as hour,
        date_trunc('minute', x, 'UTC') as minute, date_trunc('second', x, 'UTC') as second, ${isDense(org, name, sql`date_trunc('hour', x, 'UTC')`)} as dense
      from (select ${time} as x) asked)
    select coalesce(sum(n), 0) from (
      select t.n from given
        cross join lateral (values (1, '-infinity', month), (2, month, day), (3, day, hour), (4, hour, minute), (5, minute, second)) as span(level, since, until)
        cross join lateral (select t.n from tallies t where t.org_id = ${org} and t.tally = ${name} and t.level = span.level and t.bucket >= since and t.bucket < until ${among(sql`t.label`, labels)} offset 0) t
      union all select c.n from given join tally_changes c on c.org_id = ${org} and c.tally = ${name} and c.at < ${edge} ${among(sql`c.label`, labels)}
      union all select 1 from given join lateral (
        select from ${table} where org_id = ${org} and ${where} and ${at} >= ${edge} and ${at} < x ${labels ? among(label, labels) : sql`and ${label} is not null`}) rest on true
    ) counted)`
}

export type OrderedQuestion = Question & { descending: boolean }

/**
 * Where the record at a place in the order of its time is: the edge of the smallest bucket that holds it, and its place from there. Nothing
 * where there are not that many.
 */
export function findPlace(question: OrderedQuestion, place: Statement): Statement {
  const { org, tally, descending, name = sql`${tally.name}` } = question
  const step = (level: number, since: Statement, until: Statement, from: Statement) =>
    stepInto(question, units[level] as Unit, since, until, from)
  const minutes = sql`(${step(4, sql`hours.bucket`, sql`hours.bucket + interval '1 hour'`, sql`hours.rest`)}) minutes`
  const seconds = sql`(${step(5, sql`minutes.bucket`, sql`minutes.bucket + interval '1 minute'`, sql`minutes.rest`)}) seconds`
  const edge = descending
    ? sql`coalesce(fine.bucket + interval '1 second', hours.bucket + interval '1 hour')`
    : sql`coalesce(fine.bucket, hours.bucket)`
  const monthsEnd = sql`(months.bucket at time zone 'UTC' + interval '1 month') at time zone 'UTC'`
  return sql`
    select ${edge} as edge, coalesce(fine.rest, hours.rest)::bigint as rest
    from (select ${place} as place) wanted
    cross join lateral (${step(1, sql`'-infinity'`, sql`'infinity'`, sql`wanted.place`)}) months
    cross join lateral (${step(2, sql`months.bucket`, monthsEnd, sql`months.rest`)}) days
    cross join lateral (${step(3, sql`days.bucket`, sql`days.bucket + interval '24 hours'`, sql`days.rest`)}) hours
    left join lateral (
      select seconds.bucket, seconds.rest from ${minutes} cross join lateral ${seconds} where ${isDense(org, name, sql`hours.bucket`)}) fine on true`
}

/** `and label = any(…)`, or nothing where all labels are meant. */
function among(label: Statement, labels: Statement | undefined): Statement {
  return labels ? sql`and ${label} = any(${labels}::text[])` : nothing
}

/** Whether the hour that begins there has been counted by minutes and seconds too. */
function isDense(org: Statement, name: Statement, hour: Statement): Statement {
  return sql`exists (select from tallies f where f.org_id = ${org} and f.tally = ${name} and f.level = 4 and f.bucket >= ${hour} and f.bucket < ${hour} + interval '1 hour')`
}

type Unit = { level: Statement; unit: Statement }

const units: readonly Unit[] = [
  { level: sql`0`, unit: sql`''` },
  { level: sql`1`, unit: sql`'month'` },
  { level: sql`2`, unit: sql`'day'` },
  { level: sql`3`, unit: sql`'hour'` },
  { level: sql`4`, unit: sql`'minute'` },
  { level: sql`5`, unit: sql`'second'` },
]

/** The bucket of one level, between two times, in which the place lies, and the place within it. */
function stepInto(
  { org, tally, labels, descending, name = sql`${tally.name}` }: OrderedQuestion,
  { level, unit }: Unit,
  since: Statement,
  until: Statement,
  place: Statement,
): Statement {
  const direction = descending ? sql`desc` : sql`asc`
  return sql`
    select bucket, ${place} - passed as rest from (
      select bucket, sum(n) as n, sum(sum(n)) over (order by bucket ${direction}) - sum(n) as passed from (
        select bucket, n from tallies where org_id = ${org} and tally = ${name} and level = ${level} and bucket >= ${since} and bucket < ${until} ${among(sql`label`, labels)}
        union all select date_trunc(${unit}, at, 'UTC'), n from tally_changes
          where org_id = ${org} and tally = ${name} and at >= ${since} and at < ${until} ${among(sql`label`, labels)}) counted
      group by bucket) passing
    where passed <= ${place} and ${place} < passed + n`
}

/** What of a row is counted. */
type Facts = { kind: string; label: string | null; times: Date[] }

function facts({ kind, label, times }: CountedTable): Statement {
  return sql`${kind} as kind, ${label} as label, array[${join(Object.values(times), sql`, `)}] as times`
}

type Change = { tally: string; label: string; at: Date; n: number }

/** Up to so many are a list of values, which costs a cluster least; the text is another for each number of them. */
const fewChanges = 8

/** Only what has changed is written: a row that stays where it was is taken away and added at once. */
async function noteMoved(
  { org, run }: Writer,
  { times }: CountedTable,
  was: readonly Facts[],
  made: readonly Facts[],
): Promise<void> {
  const names = Object.keys(times)
  const changes = new Map<string, Change>()
  for (const [rows, n] of [[was, -1] as const, [made, 1] as const])
    for (const row of rows) addChanges(changes, names, row, n)
  const left = [...changes.values()].filter(({ n }) => n !== 0)
  if (left.length === 0) return
  const written = left.map(
    ({ tally, label, at, n }) => sql`(${org}::uuid, ${tally}::text, ${label}::text, ${at}::timestamptz, ${n}::int)`,
  )
  await run(
    left.length <= fewChanges
      ? sql`insert into tally_changes (org_id, tally, label, at, n) values ${join(written, sql`, `)}`
      : insertMany(org, left),
  )
  noteChanges(org)
}

function addChanges(
  changes: Map<string, Change>,
  names: readonly string[],
  { kind, label, times }: Facts,
  n: number,
): void {
  if (label === null) return
  names.forEach((name, index) => {
    const [tally, at] = [`${kind}.${name}`, times[index] as Date]
    const key = `${tally} ${at.getTime()} ${label}`
    const before = changes.get(key)
    if (before) before.n += n
    else changes.set(key, { tally, label, at, n })
  })
}

/** With their ids: a default that is another for each row would be computed on the wrong node of a cluster. */
function insertMany(org: string, changes: readonly Change[]): Statement {
  return sql`
    insert into tally_changes (org_id, id, tally, label, at, n)
    select own.org_id, c.id, c.tally, c.label, c.at, c.n from organizations own cross join unnest(
      ${changes.map(() => randomUUID())}::uuid[], ${changes.map(({ tally }) => tally)}::text[], ${changes.map(({ label }) => label)}::text[], ${changes.map(({ at }) => at)}::timestamptz[],
      ${changes.map(({ n }) => n)}::int[]) as c(id, tally, label, at, n)
    where own.org_id = ${org}`
}

type Listener = (org: string) => void
const listeners = new Set<Listener>()

/** Tells whoever folds changes that there are some more. A hint and no more: nothing is lost with it. */
function noteChanges(org: string): void {
  for (const hear of listeners) hear(org)
}

export function onChanges(hear: Listener): () => void {
  listeners.add(hear)
  return () => listeners.delete(hear)
}
