import type { Context } from '../../platform/context.ts'
import type { AsOf } from '../../platform/core/values/as-of.ts'
import { unappliedAsOf } from '../../platform/db/counts/on-account.ts'
import { join, named, reporting, type Statement, sql, when } from '../../platform/db/sql/sql.ts'
import { dueInHome, type OwedKind, openAsOf, ownOf, withHome } from './documents-sql.ts'

export type AgingRequest = {
  asOf: AsOf
  parties?: readonly string[] | undefined
  currencies?: readonly string[] | undefined
}

/** The parts of an aging, in the order of `agingPart`, and the sum of all. */
const parts = ['current_amount', 'days_1_30_amount', 'days_31_60_amount', 'days_61_90_amount', 'days_over_90_amount']
export const agingParts: readonly string[] = [...parts, 'total_amount']
/** Money on account is of no age, and not in the sum of all. */
const onAccount = parts.length
const columns = [...agingParts, 'unapplied_amount']

/** Which part the document `d` belongs to: what is not due yet or has no due date, and what fell due within so many days before the day of the report. */
export const agingPart: Statement = sql`coalesce(width_bucket(own.day - day_of(d.due_date, own.time_zone), array[1, 31, 61, 91]), 0)`

/** The sum of an amount of `a`, which has a `part`, in each of the parts and in all, under these names. */
export function agingSums(amount: Statement, names: readonly string[]): Statement {
  const of = (index: number) =>
    index < parts.length ? sql`filter (where a.part = ${index}::int)` : sql`filter (where a.part < ${onAccount}::int)`
  return listed(names.map((name, index) => sql`coalesce(sum(${amount}) ${of(index)}, 0) as ${named(name)}`))
}

/** What is open and what was paid on account, by party and currency, and in all, as JSON. */
export async function readAging(ctx: Context, kind: OwedKind, asked: AgingRequest): Promise<string> {
  const [row] = await ctx.run<{ json: string }>(reporting(agingStatement(ctx.org, kind, asked)))
  return row?.json ?? '{}'
}

/** Summed up by part first, so that a document is looked at once, and not once for each of the sums. */
function agingStatement(org: string, kind: OwedKind, { asOf, parties, currencies }: AgingRequest): Statement {
  const unapplied = (amount: Statement, name: string) =>
    sql`coalesce(sum(${amount}) filter (where a.part = ${onAccount}::int), 0) as ${named(name)}`
  const sums = sql`${agingSums(sql`a.due`, agingParts)}, ${agingSums(sql`a.home_due`, agingParts.map(homePart))},
    ${unapplied(sql`a.due`, 'unapplied_amount')}, ${unapplied(sql`a.home_due`, homePart('unapplied_amount'))}`
  const wanted = sql`${when(parties, sql`and d.party_id = any(${parties}::uuid[])`)} ${when(currencies, sql`and d.currency_id = any(${currencies}::text[])`)}`
  return sql`
    with ${ownOf(org, asOf)},
    documents as (${openAsOf(kind, org, asOf)}),
    aged as (
      select d.party_id, d.currency_id, d.due, ${dueInHome} as home_due, ${agingPart} as part from documents d ${withHome}
      where d.due <> 0 ${wanted}
      union all select d.party_id, d.currency_id, d.due, ${dueInHome}, ${onAccount}::int from (${unappliedAsOf(org, asOf, kind.onAccount)}) d ${withHome} where true ${wanted}),
    summed as (
      select a.party_id, a.currency_id, a.part, count(*) filter (where a.part < ${onAccount}::int) as documents, count(*) - count(a.home_due) as missing_rate, sum(a.due) as due, sum(a.home_due) as home_due
      from aged a group by a.party_id, a.currency_id, a.part),
    grouped as (
      select a.party_id, a.currency_id, sum(a.documents) as documents, sum(a.missing_rate) as missing_rate, ${sums} from summed a group by a.party_id, a.currency_id)
    select json_build_object('as_of', (select wire_time(moment) from own), 'home_currency_id', (select home from own),
      'rows', coalesce((
        select json_agg(row order by row.party_name, row.party_id, row.currency_id) from (
          select g.party_id as ${named(kind.party)}, g.party_id, o.name as party_name, g.currency_id, g.documents, g.missing_rate,
            ${listed([...columns, ...columns.map(homePart)].map((name) => sql`g.${named(name)}`))}
          from grouped g left join objects o on o.org_id = ${org} and o.id = g.party_id) row), '[]'),
      'totals', coalesce((
        select json_agg(row order by row.currency_id) from (
          select g.currency_id, sum(g.documents) as documents, ${listed(columns.map((name) => summed(name, name)))} from grouped g group by g.currency_id) row), '[]'),
      'home', (
        select row_to_json(row) from (
          select coalesce(sum(g.documents), 0) as documents, coalesce(sum(g.missing_rate), 0) as missing_rate,
            ${listed(columns.map((name) => summed(homePart(name), name)))} from grouped g) row))::text as json`
}

function homePart(name: string): string {
  return `home_${name}`
}

function summed(column: string, as: string): Statement {
  return sql`coalesce(sum(g.${named(column)}), 0) as ${named(as)}`
}

function listed(statements: readonly Statement[]): Statement {
  return join(statements, sql`, `)
}
