import { type Statement, sliceOf, sql, when } from './sql.ts'
import { countAll, countBefore, findPlace, type Tally } from './tallies.ts'

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
}

/** Up to this offset the rows in front are passed one by one, which costs less than finding out where they end. */
const shallow = 200

/** `with` these `total` and `place`, which the statements below read. */
export function reckon({ org, tally, labels, since, before }: Pick<Slice, 'org' | 'tally' | 'labels' | 'since' | 'before'>): Statement {
  return sql`reckoned as materialized (
    select every, coalesce(under, 0) as under, coalesce(upto, every) as upto from (
      select ${countAll(org, tally, labels)} as every, ${since ? countBefore(org, tally, labels, since) : sql`0`} as under,
        ${before ? countBefore(org, tally, labels, before) : sql`null::numeric`} as upto) counted)`
}

/** The exact number of what lies between the two times. */
export const reckonedTotal: Statement = sql`(select greatest(upto - under, 0)::int from reckoned)`

/** The ids of one page with their times, `id` and `at`. However deep the page, no more rows are passed than one hour or second holds. */
export function pageOfTally(slice: Slice): Statement {
  return slice.offset <= shallow ? shallowPage(slice) : deepPage(slice)
}

function shallowPage({ org, tally, labels, since, before, descending, offset, limit }: Slice): Statement {
  const { at } = tally
  const range = sql`${when(since, sql` and ${at} >= ${since}`)}${when(before, sql` and ${at} < ${before}`)}`
  const reach = offset > 0 ? sql`limit ${offset + limit}` : sliceOf({ offset: 0, limit })
  return merged({ org, tally, labels, descending }, range, reach, sliceOf({ offset, limit }))
}

/** Counted from the end at which the order begins, and what the range leaves out there is passed too. */
function deepPage({ org, tally, labels, since, before, descending, offset, limit }: Slice): Statement {
  const { at } = tally
  const first = descending ? sql`every - upto` : sql`under`
  const place = findPlace({ org, tally, labels, descending }, sql`(select ${first} + ${offset} from reckoned)`)
  const edge = sql`(select edge from place)`
  const rest = sql`(select rest from place)`
  const range = descending
    ? sql` and ${at} < ${edge}${when(since, sql` and ${at} >= ${since}`)}`
    : sql` and ${at} >= ${edge}${when(before, sql` and ${at} < ${before}`)}`
  const slice = sql`${sliceOf({ offset: 0, limit })} offset ${rest}`
  return sql`with place as materialized (${place}) ${merged({ org, tally, labels, descending }, range, sql`limit ${rest} + ${limit}`, slice)}`
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
  if (!labels) return sql`select id, ${at} as at from ${table} where org_id = ${org} and ${where}${range} order by ${order} ${slice}`
  return sql`
    select found.id, found.at from unnest(${labels}::text[]) as wanted(label)
    cross join lateral (
      select id, ${at} as at from ${table} where org_id = ${org} and ${where} and ${label} = wanted.label${range} order by ${order} ${reach}) found
    order by ${order} ${slice}`
}
