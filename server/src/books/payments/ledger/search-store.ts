import type { Context } from '../../../platform/context.ts'
import { numbersIn } from '../../../platform/core/schema/numbers.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../../platform/core/schema/pages.ts'
import { parseDate } from '../../../platform/core/values/dates.ts'
import { andChanged } from '../../../platform/db/sql/changed.ts'
import {
  beyond,
  keyOf,
  keyTypesOf,
  listAndNext,
  newestFirst,
  oneMore,
  pageStatement,
} from '../../../platform/db/sql/keyset.ts'
import { named, nothing, type Statement, searching, sql, when } from '../../../platform/db/sql/sql.ts'
import { containsWords } from '../../documents/search/texts-sql.ts'
import type { Target } from './allocations-store.ts'
import type { Direction, PaymentSearch } from './model.ts'
import { wholeOf } from './store.ts'

/** Those that the caller may see: a token has a scope for each direction. */
export async function listPayments(
  ctx: Context,
  search: PaymentSearch,
  visible: readonly Direction[],
): Promise<string> {
  const page = pageOf('payments', { ...search, visible: visible.join() }, keyTypesOf(newestFirst))
  const filter = filterOf(ctx.org, search, visible)
  const rows = sql`select id, ${keyOf(newestFirst)} as key, row_number() over () as place from (
    select p.id, p.created_at from payments p where ${filter}${beyond(newestFirst, page.after)} order by p.created_at desc, p.id desc ${oneMore(page)}) as ordered`
  const [found] = await ctx.run<FoundRecords>(
    searching(sql`
      select (select count(*)::int from payments p where ${filter}) as total, listed.list, listed.next
      from (select ${listAndNext(page.limit, sql`w.json`, sql`page.key`)} from (${rows}) as page
        cross join lateral (select ${wholeOf(ctx.org)} as json from payments_wire w where w.org_id = ${ctx.org} and w.id = page.id offset 0) w) as listed`),
  )
  return envelope('payments', found ?? nothingFound, page)
}

function filterOf(org: string, search: PaymentSearch, visible: readonly Direction[]): Statement {
  const day = (text: string | undefined, edge: 'start' | 'end') =>
    text === undefined ? undefined : parseDate(text, edge)
  const [paidFrom, paidTo] = [day(search.paid_start_at, 'start'), day(search.paid_end_at, 'end')]
  const [since, until] = [day(search.created_start_at, 'start'), day(search.created_end_at, 'end')]
  const wanted = search.directions ? search.directions.filter((one) => visible.includes(one)) : visible
  return sql`p.org_id = ${org}${andChanged(org, 'payments', search, sql`p.id`)} and p.direction = any(${wanted}::text[])
    ${search.search_term?.trim() ? sql`and ${containsWords(texts, search.search_term)}` : nothing}
    ${when(search.number, sql`and p.number = any(${numbersIn(search.number, 'PAY')}::int[])`)}
    ${when(search.status_ids, sql`and p.status = any(${search.status_ids}::text[])`)} ${when(search.methods, sql`and p.method = any(${search.methods}::text[])`)}
    ${when(search.partner_carrier_ids, sql`and p.payee_id = any(${search.partner_carrier_ids}::uuid[]) and p.partner_carrier_id is not null`)}
    ${when(search.customer_ids, sql`and p.payee_id = any(${search.customer_ids}::uuid[]) and p.customer_id is not null`)}
    ${when(search.currency_ids, sql`and p.currency_id = any(${search.currency_ids?.map((id) => id.toLowerCase())}::text[])`)}
    ${when(search.consolidated_bill_ids, sql`and p.consolidated_bill_id = any(${search.consolidated_bill_ids}::uuid[])`)}
    ${when(search.bill_ids, settles(org, 'bill_id', search.bill_ids))} ${when(search.invoice_ids, settles(org, 'invoice_id', search.invoice_ids))}
    ${when(search.refund_of_ids, sql`and p.refund_of_id = any(${search.refund_of_ids}::uuid[])`)}
    ${when(paidFrom, sql`and p.paid_at >= ${paidFrom}`)} ${when(paidTo, sql`and p.paid_at <= ${paidTo}`)}
    ${when(since, sql`and p.created_at >= ${since}`)} ${when(until, sql`and p.created_at <= ${until}`)}
    ${when(search.min_amount, sql`and p.amount >= ${search.min_amount}`)} ${when(search.max_amount, sql`and p.amount <= ${search.max_amount}`)}
    ${when(search.unallocated === true, sql`and ${isUnallocated}`)} ${when(search.unallocated === false, sql`and not (${isUnallocated})`)}
    ${when(search.missing_rate === true, sql`and p.exchange_rate is null and p.status in ('issued', 'cleared')`)}
    ${when(search.missing_rate === false, sql`and p.exchange_rate is not null`)}`
}

const isUnallocated = sql`p.status in ('issued', 'cleared') and p.allocated_amount <> p.amount and p.refund_of_id is null and p.allocated_amount + p.refunded_amount <> p.amount`

const texts = sql`lower(concat_ws(E'\n', 'PAY-' || lpad(p.number::text, greatest(6, length(p.number::text)), '0'), p.reference_number))`

function settles(org: string, target: Target, ids: readonly string[] | undefined): Statement {
  return sql`and p.id in (select a.payment_id from allocations a where a.org_id = ${org} and a.${named(target)} = any(${ids}::uuid[]) and a.ended_at is null)`
}

/** What settles a document, and what did before it was taken back, newest first. */
export async function listPaymentsOf(
  ctx: Context,
  target: Target,
  document: string,
  asked: { offset?: number; limit?: number; after?: string },
): Promise<string> {
  const page = pageOf('payments', { ...asked, document }, keyTypesOf(newestFirst))
  // A credit is settled by what pays it back, and by what it is applied to.
  const applied = target === 'to_credit_id' ? sql` or a.from_credit_id = ${document}` : nothing
  const own = sql`a.org_id = ${ctx.org} and (a.${named(target)} = ${document}${applied})`
  const json = sql`json_build_object('id', id, 'amount', amount, 'created_at', wire_time(created_at), 'ended_at', wire_time(ended_at), 'payment_id', payment_id,
    'credit_id', from_credit_id, 'bill_id', bill_id, 'invoice_id', invoice_id, 'number', 'PAY-' || lpad(number::text, greatest(6, length(number::text)), '0'), 'method', method, 'status', status,
    'reference_number', reference_number, 'paid_at', wire_time(paid_at), 'is_write_off', is_write_off)::text`
  const rows = sql`from (
    select a.id, a.amount, a.created_at, a.ended_at, a.payment_id, a.from_credit_id, a.bill_id, a.invoice_id, p.number, p.method, p.status, p.reference_number, p.paid_at,
      exists (select from write_offs w where w.org_id = ${ctx.org} and w.credit_id = a.from_credit_id) as is_write_off
    from allocations a left join payments p on p.org_id = a.org_id and p.id = a.payment_id where ${own}) as settling where true`
  const total = sql`(select count(*)::int from allocations a where ${own})`
  const [found] = await ctx.run<FoundRecords>(pageStatement({ total, json, rows, order: newestFirst, page }))
  return envelope('payments', found ?? nothingFound, page)
}
