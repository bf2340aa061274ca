import type { Context } from '../../platform/context.ts'
import type { AsOf } from '../../platform/core/values/as-of.ts'
import { join, named, nothing, reporting, type Statement, sql, when } from '../../platform/db/sql/sql.ts'
import {
  creditsOfCarriers,
  documentsAsOf,
  isWithin,
  linesAsOf,
  ownOf,
  partInHome,
  type ReportedKind,
  type Span,
  withHome,
} from './documents-sql.ts'

export const groups = ['month', 'party', 'type'] as const
export type Group = (typeof groups)[number]

export type SpendRequest = Span & {
  asOf: AsOf
  groups: readonly Group[]
  parties?: readonly string[] | undefined
  currencies?: readonly string[] | undefined
  most: number
}

const keys: Record<Group, Statement> = {
  // Its text is made of the groups: made of every document, it would take a third of the time.
  month: sql`date_trunc('month', day_of(d.date, own.time_zone)::timestamp)`,
  party: sql`d.party_id`,
  type: sql`d.bill_item_type_id`,
}
const noKey: Record<Group, Statement> = { month: sql`null::timestamp`, party: sql`null::uuid`, type: sql`null::uuid` }

/**
 * What documents dated in a span come to before tax, less what carriers have credited, by the groups asked for and by currency, as JSON; one row more than
 * `most` where there are more. Home amounts are rounded once, at the document, so they come to the same however they are grouped.
 */
export async function readSpend(ctx: Context, kind: ReportedKind, asked: SpendRequest): Promise<string> {
  const [row] = await ctx.run<{ json: string }>(reporting(spendStatement(ctx.org, kind, asked)))
  return row?.json ?? '{}'
}

function spendStatement(org: string, kind: ReportedKind, asked: SpendRequest): Statement {
  const { asOf, groups: by, most } = asked
  const key = (group: Group) => (by.includes(group) ? keys[group] : noKey[group])
  const byType = by.includes('type')
  const rowsOf = byType ? lineRows : documentRows
  const documents = byType ? sql`count(distinct d.id)` : sql`count(*)`
  return sql`
    with ${ownOf(org, asOf)},
    grouped as (
      select ${key('month')} as month, ${key('party')} as party_id, ${key('type')} as type_id, d.currency_id, ${documents} as documents, sum(d.amount) as amount,
        sum(d.home_amount) as home_amount, ${documents} filter (where d.is_missing) as missing_rate
      from (${rowsOf(kind, org, asked, sql``)} union all ${rowsOf(creditsOfCarriers, org, asked, sql`-`)}) d cross join own
      group by ${join([...by.map((group) => keys[group]), sql`d.currency_id`], sql`, `)})
    select json_build_object('as_of', (select wire_time(moment) from own), 'home_currency_id', (select home from own), 'rows', coalesce((
      select json_agg(row order by row.month, row.party_name, row.party_id, row.type_name, row.bill_item_type_id, row.currency_id) from (
        select to_char(g.month, 'YYYY-MM') as month, g.party_id as ${named(kind.party)}, g.party_id, o.name as party_name, g.type_id as bill_item_type_id, t.name as type_name, g.currency_id, g.documents,
          g.missing_rate, g.amount, case when own.home = g.currency_id then g.amount when own.home is not null then coalesce(g.home_amount, 0) end as home_amount
        from grouped g cross join own left join objects o on o.org_id = ${org} and o.id = g.party_id left join bill_item_types t on t.org_id = ${org} and t.id = g.type_id
        limit ${most + 1}) row), '[]'))::text as json`
}

/** `offset 0` keeps PostgreSQL from reading them in the order of an index by party, page by page in a random order, to have them sorted. */
function datedDocuments(
  kind: ReportedKind,
  org: string,
  { asOf, from, to, parties, currencies }: SpendRequest,
  more: Statement = nothing,
): Statement {
  return sql`
    select * from (${documentsAsOf(kind, org, asOf)}) d where true ${isWithin(sql`d.date`, { from, to })}
      ${when(parties, sql`and d.party_id = any(${parties}::uuid[])`)} ${when(currencies, sql`and d.currency_id = any(${currencies}::text[])`)} ${more}
    offset 0`
}

const isMissing = sql`(d.currency_id is distinct from own.home and (own.home is null or d.home_currency_id is distinct from own.home))`

/** Each document. What is in the home currency is not converted: that of a million documents takes longer than reading them. */
function documentRows(kind: ReportedKind, org: string, asked: SpendRequest, sign: Statement): Statement {
  return sql`
    select d.id, d.date, d.party_id, null::uuid as bill_item_type_id, d.currency_id, ${sign}d.sub_total_amount as amount,
      case when d.currency_id <> own.home then ${sign}(${partInHome(sql`d.sub_total_amount`)}) end as home_amount, ${isMissing} as is_missing
    from (${datedDocuments(kind, org, asked)}) d ${withHome}`
}

/** Each line. Those of documents in other currencies have the parts of what the document comes to, in their order. */
function lineRows(kind: ReportedKind, org: string, asked: SpendRequest, sign: Statement): Statement {
  const linesOf = (which: Statement) =>
    sql`(with documents as (${datedDocuments(kind, org, asked, which)}) ${linesAsOf(kind, org, asked.asOf)})`
  return sql`
    select d.id, d.date, d.party_id, d.bill_item_type_id, d.currency_id, ${sign}d.amount as amount, null::numeric as home_amount, false as is_missing
    from ${linesOf(sql`and d.currency_id = (select home from own)`)} d
    union all
    select d.id, d.date, d.party_id, d.bill_item_type_id, d.currency_id, ${sign}d.amount,
      ${sign}(${partInHome(sql`d.until`)} - ${partInHome(sql`(d.until - d.amount)`)}), ${isMissing}
    from (select l.*, sum(l.amount) over (partition by l.id order by l.place rows unbounded preceding) as until
      from ${linesOf(sql`and d.currency_id is distinct from (select home from own)`)} l) d ${withHome}`
}
