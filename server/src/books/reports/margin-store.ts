import type { Context } from '../../platform/context.ts'
import type { AsOf } from '../../platform/core/values/as-of.ts'
import { nothing, reporting, type Statement, sql, when } from '../../platform/db/sql/sql.ts'
import { chargesOf } from './accruals-store.ts'
import {
  creditsOfCarriers,
  creditsOfCustomers,
  documentsAsOf,
  inHome,
  isWithin,
  linesAsOf,
  ownOf,
  type ReportedKind,
  reportedBills,
  reportedInvoices,
  type Span,
  withHome,
} from './documents-sql.ts'
import { atRates, objectsAsOf, sumOfItems, withRates } from './objects-sql.ts'

export type MarginRequest = Span & {
  asOf: AsOf
  customers?: readonly string[] | undefined
  orders?: readonly string[] | undefined
  most: number
}

/** What was charged for each order, what it cost and what is left, in the home currency, as JSON; one row more than `most` where there are more. */
export async function readMargin(ctx: Context, asked: MarginRequest): Promise<string> {
  const [row] = await ctx.run<{ json: string }>(reporting(marginStatement(ctx.org, asked)))
  return row?.json ?? '{}'
}

/**
 * The charge of an order is what its invoices say, or, before there is one, its own rate and charges. The cost of a manifest is what its bills say, or,
 * before there is one, its payment items; the orders that it carries share it in equal parts, whose sum is the whole. Credits lower both, by what their lines
 * name: what a customer was granted the charge, what was recovered from a carrier the cost.
 */
function marginStatement(org: string, { asOf, from, to, customers, orders, most }: MarginRequest): Statement {
  return sql`
    with ${ownOf(org, asOf)},
    orders as (
      select o.*, day_of(o.at, z.time_zone) as day from (
        select o.id, o.full_id, o.name, o.status, (o.content ->> 'customerId')::uuid as customer_id, o.content ->> 'currency' as currency_id, ${chargesOf} as amount,
          coalesce(moment_of(o.content ->> 'deliverBy'), moment_of(o.content ->> 'deliverAt'), o.created_at) as at
        from (${objectsAsOf('order', org, asOf)}) o where o.status not in ('cancelled', 'inactive')) o
      cross join (select time_zone from organizations where org_id = ${org}) z
      where true ${isWithin(sql`o.at`, { from, to })}
        ${when(customers, sql`and o.customer_id = any(${customers}::uuid[])`)} ${when(orders, sql`and o.id = any(${orders}::uuid[])`)}
      order by o.at desc, o.id limit ${most + 1}),
    invoiced as (${settledBy(reportedInvoices, org, asOf)}),
    billed as (${settledBy(reportedBills, org, asOf)}),
    granted as (${settledBy(creditsOfCustomers, org, asOf)}),
    recovered as (${settledBy(creditsOfCarriers, org, asOf)}),
    written_off as (${settledBy(creditsOfCustomers, org, asOf, sql`and d.id in (select credit_id from write_offs where org_id = ${org})`)}),
    carried as (
      select m.id, m.content, day_of(coalesce(moment_of(m.content ->> 'endAt'), m.created_at), z.time_zone) as day, c.order_id::uuid as order_id, c.place, c.number_of
      from (${objectsAsOf('manifest', org, asOf)}) m cross join (select time_zone from organizations where org_id = ${org}) z
      cross join lateral (
        select i.id as order_id, i.place, count(*) over () as number_of
        from jsonb_array_elements_text(case when jsonb_typeof(m.content -> 'orderIds') = 'array' then m.content -> 'orderIds' end) with ordinality as i(id, place)) c
      where m.status not in ('cancelled', 'inactive') and c.order_id::uuid in (select id from orders)),
    expected as (
      select a.id, round(${atRates(sql`a.amount`)}) as home_amount from (
        select distinct on (c.id) c.id, c.content ->> 'currency' as currency_id, c.day, ${sumOfItems(sql`c.content -> 'paymentItems'`)} as amount from carried c) a
      ${withRates(org)}),
    costs as (
      select c.order_id, c.manifests, c.billed, c.unknown + case when r.other_id is not null and r.home_amount is null then 1 else 0 end as unknown,
        c.home_amount - coalesce(r.home_amount, 0) as home_amount
      from (
        select c.order_id, count(*) as manifests, count(b.id) as billed, count(*) filter (where s.amount is null) as unknown, sum(${shareOf(sql`s.amount`)}) as home_amount
        from carried c left join billed b on b.id = c.id left join expected e on e.id = c.id left join recovered r on r.id = c.id
        cross join lateral (
          select case when b.id is not null then b.home_amount else e.home_amount end - case when r.id is null then 0 else r.home_amount end as amount) s
        group by c.order_id) c
      left join recovered r on r.id is null and r.other_id = c.order_id),
    lowered as (
      select g.order_id, case when count(*) = count(g.home_amount) then sum(g.home_amount) end as home_amount from (
        select g.id as order_id, g.home_amount from granted g where g.id is not null
        union all select c.order_id, ${shareOf(sql`g.home_amount`)} from granted g join carried c on c.id = g.other_id where g.id is null) g
      group by g.order_id),
    charged as (
      select a.*, i.id is not null as is_invoiced, round(case when i.id is not null then i.home_amount else ${atRates(sql`a.amount`)} end)
        - case when l.order_id is null then 0 else l.home_amount end as home_amount
      from orders a ${withRates(org)} left join invoiced i on i.id = a.id left join lowered l on l.order_id = a.id)
    select json_build_object('as_of', (select wire_time(moment) from own), 'home_currency_id', (select home from own), 'rows', coalesce((
      select json_agg(row order by row.date desc, row.order_id) from (
        select a.id as order_id, a.full_id, a.name, a.status, a.customer_id, p.name as customer_name, wire_time(a.at) as date,
          case when a.is_invoiced then 'invoices' when a.amount is not null then 'order' end as charged_from, a.home_amount as home_charged_amount,
          case when c.billed = c.manifests then 'bills' when c.billed > 0 then 'bills_and_manifests' when c.manifests > 0 then 'manifests' end as costs_from,
          case when c.unknown = 0 then c.home_amount end as home_cost_amount,
          case when c.unknown = 0 then a.home_amount - c.home_amount end as home_margin_amount,
          case when c.unknown = 0 and a.home_amount > 0 then trim_scale(round(100 * (a.home_amount - c.home_amount) / a.home_amount, 2))::text end as margin_percent,
          case when w.id is null then 0 else w.home_amount end as home_written_off_amount,
          array_remove(array[
            case when (select home from own) is null then 'home_currency' end,
            case when not a.is_invoiced and a.amount is null then 'charges' when a.home_amount is null then 'exchange_rate_of_charges' end,
            case when c.manifests is null then 'manifest' when c.unknown > 0 then 'costs_or_their_exchange_rate' end], null) as missing
        from charged a left join costs c on c.order_id = a.id left join written_off w on w.id = a.id left join objects p on p.org_id = ${org} and p.id = a.customer_id) row), '[]'))::text as json`
}

/** The part of an order of what its manifest `c` comes to: equal ones, of which the first take what is left over. */
function shareOf(amount: Statement): Statement {
  return sql`trunc(${amount} / c.number_of) + case when c.place <= abs(${amount} % c.number_of) then sign(${amount}) else 0 end`
}

/** What the lines of documents that count come to in the home currency for what they were for; null where a rate is missing. */
function settledBy(kind: ReportedKind, org: string, asOf: AsOf, only: Statement = nothing): Statement {
  return sql`
    with documents as (${documentsAsOf(kind, org, asOf)}), lines as (${linesAsOf(kind, org, asOf)})
    select d.moved_id as id, d.other_id, case when count(*) = count(${inHome(sql`d.amount`)}) then round(sum(${inHome(sql`d.amount`)})) end as home_amount
    from lines d ${withHome} where (d.moved_id is not null or d.other_id is not null) ${only} group by d.moved_id, d.other_id`
}
