import type { Context } from '../context.ts'
import type { AsOf } from '../core/as-of.ts'
import { join, named, type Statement, searching, sql, when } from '../db/sql.ts'
import { documentsAsOf, inHome, ownOf, type Reported, withHome } from './documents-sql.ts'

export type AgingAsked = { asOf: AsOf; parties?: readonly string[] | undefined; currencies?: readonly string[] | undefined }

/** The parts of an aging: what fell due within so many days before the day of the report, and what is not due yet or has no due date. */
const parts: readonly { name: string; condition: Statement }[] = [
  { name: 'current_amount', condition: sql`a.due_date >= a.day or a.due_date is null` },
  { name: 'days_1_30_amount', condition: between(30, 0) },
  { name: 'days_31_60_amount', condition: between(60, 30) },
  { name: 'days_61_90_amount', condition: between(90, 60) },
  { name: 'days_over_90_amount', condition: sql`a.due_date < a.day - interval '90 days'` },
  { name: 'total_amount', condition: sql`true` },
]
export const agingParts: readonly string[] = parts.map(({ name }) => name)

/** The sum of an amount of `a`, which has due_date and day, in each of the parts, under these names. */
export function agingSums(amount: Statement, names: readonly string[]): Statement {
  return listed(parts.map(({ condition }, index) => sql`coalesce(sum(${amount}) filter (where ${condition}), 0) as ${named`${names[index] as string}`}`))
}

/** What is open, by party and currency, and in all, as JSON. */
export async function readAging(ctx: Context, kind: Reported, asked: AgingAsked): Promise<string> {
  const [row] = await ctx.run<{ json: string }>(searching(agingStatement(ctx.org, kind, asked)))
  return row?.json ?? '{}'
}

function agingStatement(org: string, kind: Reported, { asOf, parties, currencies }: AgingAsked): Statement {
  const sums = sql`${agingSums(sql`a.due`, agingParts)}, ${agingSums(sql`a.home_due`, agingParts.map(homePart))}`
  return sql`
    with ${ownOf(org, asOf)},
    documents as (${documentsAsOf(kind, org, asOf)}),
    aged as (
      select d.party_id, d.currency_id, d.due_date, d.due, round(${inHome(sql`d.due`)}) as home_due, own.day from documents d ${withHome}
      where d.due <> 0 ${when(parties, sql`and d.party_id = any(${parties}::uuid[])`)} ${when(currencies, sql`and d.currency_id = any(${currencies}::text[])`)}),
    grouped as (
      select a.party_id, a.currency_id, count(*) as documents, count(*) - count(a.home_due) as missing_rate, ${sums} from aged a group by a.party_id, a.currency_id)
    select json_build_object('as_of', (select wire_time(moment) from own), 'home_currency_id', (select home from own),
      'rows', coalesce((
        select json_agg(row order by row.party_name, row.party_id, row.currency_id) from (
          select ${named`g.party_id as ${kind.party}`}, g.party_id, o.name as party_name, g.currency_id, g.documents, g.missing_rate,
            ${listed([...agingParts, ...agingParts.map(homePart)].map((name) => named`g.${name}`))}
          from grouped g left join objects o on o.org_id = ${org} and o.id = g.party_id) row), '[]'),
      'totals', coalesce((
        select json_agg(row order by row.currency_id) from (
          select g.currency_id, sum(g.documents) as documents, ${listed(agingParts.map((name) => summed(name, name)))} from grouped g group by g.currency_id) row), '[]'),
      'home', (
        select row_to_json(row) from (
          select coalesce(sum(g.documents), 0) as documents, coalesce(sum(g.missing_rate), 0) as missing_rate,
            ${listed(agingParts.map((name) => summed(homePart(name), name)))} from grouped g) row))::text as json`
}

function between(most: number, least: number): Statement {
  return sql`a.due_date >= a.day - ${most}::int * interval '1 day' and a.due_date < a.day - ${least}::int * interval '1 day'`
}

function homePart(name: string): string {
  return `home_${name}`
}

function summed(column: string, as: string): Statement {
  return named`coalesce(sum(g.${column}), 0) as ${as}`
}

function listed(statements: readonly Statement[]): Statement {
  return join(statements, sql`, `)
}
