import type { Context } from '../context.ts'
import type { AsOf } from '../core/as-of.ts'
import { join, named, nothing, reporting, type Statement, sql, when } from '../db/sql.ts'
import { documentsAsOf, inHome, linesAsOf, ownOf, type Reported, withHome } from './documents-sql.ts'

export const groups = ['month', 'party', 'type'] as const
export type Group = (typeof groups)[number]

export type SpendAsked = {
  asOf: AsOf
  from: string | null
  to: string | null
  groups: readonly Group[]
  parties?: readonly string[] | undefined
  currencies?: readonly string[] | undefined
  most: number
}

const keys: Record<Group, Statement> = {
  month: sql`to_char(d.date at time zone 'UTC', 'YYYY-MM')`,
  party: sql`d.party_id`,
  type: sql`d.bill_item_type_id`,
}
const noKey: Record<Group, Statement> = { month: sql`null::text`, party: sql`null::uuid`, type: sql`null::uuid` }

/** What documents dated in a span come to before tax, by the groups asked for and by currency, as JSON; one row more than `most` where there are more. */
export async function readSpend(ctx: Context, kind: Reported, asked: SpendAsked): Promise<string> {
  const [row] = await ctx.run<{ json: string }>(reporting(spendStatement(ctx.org, kind, asked)))
  return row?.json ?? '{}'
}

/**
 * Summed up by the rates of the documents first: converting a sum is exact, and takes nothing where converting each of a million documents takes longer
 * than reading them. `offset 0` keeps PostgreSQL from reading them in the order of an index by party, page by page in a random order, to have them sorted.
 */
function spendStatement(org: string, kind: Reported, { asOf, from, to, groups: asked, parties, currencies, most }: SpendAsked): Statement {
  const key = (group: Group) => (asked.includes(group) ? keys[group] : noKey[group])
  const byType = asked.includes('type')
  const counted = byType
    ? sql`count(distinct d.id) as documents, sum(d.amount) as amount from lines d`
    : sql`count(*) as documents, sum(d.sub_total_amount) as amount from documents d`
  return sql`
    with ${ownOf(org, asOf)},
    documents as (
      select * from (${documentsAsOf(kind, org, asOf)}) d where true ${when(from, sql`and d.date >= ${from}`)} ${when(to, sql`and d.date <= ${to}`)}
        ${when(parties, sql`and d.party_id = any(${parties}::uuid[])`)} ${when(currencies, sql`and d.currency_id = any(${currencies}::text[])`)}
      offset 0),
    ${byType ? sql`lines as (${linesAsOf(kind, org, asOf)}),` : nothing}
    summed as (
      select ${key('month')} as month, ${key('party')} as party_id, ${key('type')} as type_id, d.currency_id, d.home_currency_id, d.exchange_rate, ${counted}
      group by ${join([...asked.map((group) => keys[group]), sql`d.currency_id, d.home_currency_id, d.exchange_rate`], sql`, `)}),
    grouped as (
      select d.month, d.party_id, d.type_id, d.currency_id, sum(d.documents) as documents, sum(d.amount) as amount, round(sum(${inHome(sql`d.amount`)})) as home_amount,
        count(*) filter (where d.currency_id <> coalesce(own.home, '') and d.home_currency_id is distinct from own.home) as missing_rate
      from summed d ${withHome}
      group by d.month, d.party_id, d.type_id, d.currency_id)
    select json_build_object('as_of', (select wire_time(moment) from own), 'home_currency_id', (select home from own), 'rows', coalesce((
      select json_agg(row order by row.month, row.party_name, row.party_id, row.type_name, row.bill_item_type_id, row.currency_id) from (
        select g.month, ${named`g.party_id as ${kind.party}`}, g.party_id, o.name as party_name, g.type_id as bill_item_type_id, t.name as type_name, g.currency_id, g.documents,
          g.amount, case when g.missing_rate = 0 then g.home_amount end as home_amount
        from grouped g left join objects o on o.org_id = ${org} and o.id = g.party_id left join bill_item_types t on t.org_id = ${org} and t.id = g.type_id
        limit ${most + 1}) row), '[]'))::text as json`
}
