import type { Context } from '../../platform/context.ts'
import type { AsOf } from '../../platform/core/values/as-of.ts'
import { reporting, type Statement, sql } from '../../platform/db/sql/sql.ts'
import { documentsAsOf, linesAsOf, ownOf, type ReportedKind, reportedBills, reportedInvoices } from './documents-sql.ts'
import { atRates, objectsAsOf, sumOfItems, withRates } from './objects-sql.ts'

/** What was delivered, and neither billed by its carrier nor invoiced to its customer, as JSON; one row more than `most` where there are more. */
export async function readAccruals(ctx: Context, { asOf, most }: { asOf: AsOf; most: number }): Promise<string> {
  const [row] = await ctx.run<{ json: string }>(reporting(accrualsStatement(ctx.org, asOf, most)))
  return row?.json ?? '{}'
}

function accrualsStatement(org: string, asOf: AsOf, most: number): Statement {
  return sql`
    with ${ownOf(org, asOf)}, accrued as (${accruedRows(org, asOf)})
    select json_build_object('as_of', (select wire_time(moment) from own), 'home_currency_id', (select home from own), 'rows', coalesce((
      select json_agg(row order by row.side, row.delivered_at, row.object_id) from (
        select a.side, a.object_key, a.id as object_id, a.full_id, a.name, a.party_id, p.name as party_name, wire_time(a.delivered_at) as delivered_at, a.currency_id,
          round(a.amount) as amount, a.home_amount
        from accrued a left join objects p on p.org_id = ${org} and p.id = a.party_id::uuid limit ${most + 1}) row), '[]'))::text as json`
}

/** What was delivered and is not billed, with its amount in the home currency of `own`. */
export function accruedRows(org: string, asOf: AsOf): Statement {
  return sql`
    with billed as (${movedBy(reportedBills, org, asOf)}),
    invoiced as (${movedBy(reportedInvoices, org, asOf)}),
    delivered as (
      select 'payable' as side, 'manifest' as object_key, m.id, m.full_id, m.name, m.content ->> 'partnerId' as party_id, m.content ->> 'currency' as currency_id,
        moment_of(m.content ->> 'endAt') as at, m.created_at, ${sumOfItems(sql`m.content -> 'paymentItems'`)} as amount
      from (${objectsAsOf('manifest', org, asOf)}) m where m.status = 'completed' and m.id not in (select id from billed)
      union all
      select 'receivable', 'order', o.id, o.full_id, o.name, o.content ->> 'customerId', o.content ->> 'currency', coalesce(moment_of(o.content ->> 'deliverBy'), moment_of(o.content ->> 'deliverAt')),
        o.created_at, ${chargesOf}
      from (${objectsAsOf('order', org, asOf)}) o where o.status = 'delivered' and o.id not in (select id from invoiced)),
    dated as (
      select d.*, coalesce(d.at, d.created_at) as delivered_at, day_of(coalesce(d.at, d.created_at), z.time_zone) as day
      from delivered d cross join (select time_zone from organizations where org_id = ${org}) z)
    select a.*, round(${atRates(sql`a.amount`)}) as home_amount from dated a ${withRates(org)}`
}

/** What the customer is charged for an order: its rate and its charges. */
export const chargesOf: Statement = sql`nullif(coalesce((o.content ->> 'rate')::numeric, 0) + coalesce(${sumOfItems(sql`o.content -> 'charges'`)}, 0), 0)`

/** The ids of what lines of documents that count were for. */
function movedBy(kind: ReportedKind, org: string, asOf: AsOf): Statement {
  return sql`with documents as (${documentsAsOf(kind, org, asOf)}) select distinct l.moved_id as id from (${linesAsOf(kind, org, asOf)}) l where l.moved_id is not null`
}
