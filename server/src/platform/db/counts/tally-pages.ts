import { type Statement, sliceOf, sql, when } from '../sql/sql.ts'
import { countAll, countBefore, findPlace, type Question, type Tally } from './tallies.ts'

/** Records of one tally, in the order of its time: those with one of the labels, from a time on and before another. */
export type Slice = {
  org: string
  tally: Tally
  labels: readonly string[] | undefined
  since: Date | undefined
  before: Date | undefined
  descending: boolean
  offset: number
  limit: number
  /** The record that the page begins behind, in the order of the page. */
  after: { at: string; id: string } | undefined
}

/** Up to this offset the rows in front are passed one by one, which costs less than finding out where they end. */
const shallow = 200

/**
 * The items of a `with`: `asked`, and `counted`, how many there are at all, before the range, and up to its end. What is asked is kept out of
 * the planner's sight, which would see that some searches cost little, and plan every one anew, which costs more. The organization is a parameter
 * everywhere, by which a cluster knows where to send the statement: `plannedOnce` keeps it out of sight.
 */
export function countIn(slice: Slice): Statement {
  const { tally, labels, since, before, offset, after } = slice
  const question = questionOf(slice)
  return sql`
    asked as materialized (select ${tally.name}::text as tally, ${labels ?? null}::text[] as labels, ${since ?? null}::timestamptz as since, ${before ?? null}::timestamptz as before, ${offset}::bigint as skip
      ${when(after, sql`, ${after?.at}::timestamptz as after_at, ${after?.id}::uuid as after_id`)}),
    everything as materialized (select ${countAll(question)} as every),
    counted as materialized (
      select every, ${since ? countBefore(question, asked.since) : sql`0`} as under, ${before ? countBefore(question, asked.before) : sql`every`} as upto from everything)`
}

/** The exact number of what lies between the two times. */
export const countedTotal: Statement = sql`(select greatest(upto - under, 0)::int from counted)`

/** The ids of one page with their times, `id` and `at`. However deep the page, no more rows are passed than one hour or second holds. */
export function pageOfTally(slice: Slice): Statement {
  return slice.offset <= shallow ? shallowPage(slice) : deepPage(slice)
}

/** So many are sooner put in order than looked for in an order that has nothing to do with them. */
const fewEnough = 5000

/**
 * The ids of one page in the order of another time than the range is of, `order`. Which way is the better one is known from the total, so both
 * are planned and one is gone: few are found by the range and put in order, many are met often enough on the way through the order.
 */
export function pageInOrderOf(slice: Slice, order: Statement, bound: Statement): Statement {
  const { org, tally, labels, descending, offset, limit } = slice
  const { table, where, label } = tally
  const direction = descending ? sql`at desc, id desc` : sql`at, id`
  const reach = offset > 0 ? sql`limit ${asked.skip} + ${limit}` : sliceOf({ offset: 0, limit })
  const few = sql`(select upto - under <= ${fewEnough} from counted)`
  const found = (and: Statement) =>
    sql`select id, ${order} as at from ${table} where org_id = ${org} and ${where} and ${label} ${and}${rangeOf(slice)}${behind(slice, order)} and ${few}`
  // `offset 0` keeps it a loop over the labels: joined in another way it would read the labels that nobody asked for too.
  const byRange = labels
    ? sql`select found.* from unnest(${asked.labels}) as wanted(label) cross join lateral (${found(sql`= wanted.label`)} offset 0) found`
    : found(sql`is not null`)
  // `is true` changes nothing but that no index is looked through by it: the one of the order is to be gone through.
  const passing = sql` and (true${rangeOf(slice)}) is true${bound}${behind(slice, order)} and not ${few}`
  const many = merged({ org, tally: { ...tally, at: order }, labels, descending }, passing, reach, reach)
  return sql`
    with few as materialized (${byRange})
    select id, at from ((select id, at from few order by ${direction} ${reach}) union all (select id, at from (${many}) many)) either
    order by ${direction} ${sliceOf({ offset: 0, limit })} offset ${asked.skip}`
}

export const asked = {
  tally: sql`(select tally from asked)`,
  labels: sql`(select labels from asked)`,
  since: sql`(select since from asked)`,
  before: sql`(select before from asked)`,
  skip: sql`(select skip from asked)`,
  afterAt: sql`(select after_at from asked)`,
  afterId: sql`(select after_id from asked)`,
}

function questionOf({ org, tally, labels }: Pick<Slice, 'org' | 'tally' | 'labels'>): Question {
  return { org: sql`${org}::uuid`, name: asked.tally, tally, labels: labels && asked.labels }
}

function shallowPage(slice: Slice): Statement {
  const { offset, limit } = slice
  const range = sql`${rangeOf(slice)}${behind(slice, slice.tally.at)}`
  const first = sliceOf({ offset: 0, limit })
  return offset > 0
    ? merged(slice, range, sql`limit ${asked.skip} + ${limit}`, sql`${first} offset ${asked.skip}`)
    : merged(slice, range, first, first)
}

function rangeOf({ tally: { at }, since, before }: Slice): Statement {
  return sql`${when(since, sql` and ${at} >= ${asked.since}`)}${when(before, sql` and ${at} < ${asked.before}`)}`
}

/** Compared with the row as a whole, so that the index is read from there on. */
function behind({ after, descending }: Slice, at: Statement): Statement {
  return when(
    after,
    descending
      ? sql` and (${at}, id) < (${asked.afterAt}, ${asked.afterId})`
      : sql` and (${at}, id) > (${asked.afterAt}, ${asked.afterId})`,
  )
}

/** Counted from the end at which the order begins; what the range leaves out there is passed too. */
function deepPage(slice: Slice): Statement {
  const { tally, since, before, descending, limit } = slice
  const first = descending ? sql`every - upto` : sql`under`
  const place = findPlace({ ...questionOf(slice), descending }, sql`(select ${first} + skip from counted, asked)`)
  const edge = sql`(select edge from place)`
  const rest = sql`(select rest from place)`
  const range = descending
    ? sql` and ${tally.at} < ${edge}${when(since, sql` and ${tally.at} >= ${asked.since}`)}`
    : sql` and ${tally.at} >= ${edge}${when(before, sql` and ${tally.at} < ${asked.before}`)}`
  const page = merged(slice, range, sql`limit ${rest} + ${limit}`, sql`${sliceOf({ offset: 0, limit })} offset ${rest}`)
  return sql`with place as materialized (${place}) ${page}`
}

/** Each label has its own place in the index, so each is read in order as far as the page can reach, and the few that come out are put together. */
function merged(
  { org, tally, labels, descending }: Pick<Slice, 'org' | 'tally' | 'labels' | 'descending'>,
  range: Statement,
  reach: Statement,
  slice: Statement,
): Statement {
  const { table, where, label, at } = tally
  const order = descending ? sql`at desc, id desc` : sql`at, id`
  if (!labels)
    return sql`select id, ${at} as at from ${table} where org_id = ${org} and ${where} and ${label} is not null${range} order by ${order} ${slice}`
  return sql`
    select found.id, found.at from unnest(${asked.labels}) as wanted(label)
    cross join lateral (
      select id, ${at} as at from ${table} where org_id = ${org} and ${where} and ${label} = wanted.label${range} order by ${order} ${reach}) found
    order by ${order} ${slice}`
}
