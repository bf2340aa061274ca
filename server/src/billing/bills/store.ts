import { type Context, together } from '../../context.ts'
import type { Reference } from '../../core/ids.ts'
import { envelope, nothingFound, pageOf } from '../../core/pages.ts'
import { conflict, invalid, quote } from '../../core/refusal.ts'
import type { Revised } from '../../core/revisions.ts'
import { violated } from '../../db/constraints.ts'
import { each, type Statement, sliceOf, sql } from '../../db/sql.ts'
import { deleteCounted, insertCounted, updateCounted } from '../../db/tallies.ts'
import { countedBills } from './counted.ts'
import type { Bill } from './model.ts'
import { searchStatement } from './page.ts'
import { boundToStatement, unknownCurrency, unknownPayTerm } from './refusals.ts'
import type { BillSearch } from './search.ts'

export async function listBills(ctx: Context, search: BillSearch): Promise<string> {
  const [row] = await ctx.run<{ list: string; total: number }>(searchStatement(ctx.org, search))
  return envelope('bills', row ?? nothingFound, pageOf(search))
}

/** The whole answer about a bill, made where the data is: one round trip. */
export async function findBill(ctx: Context, reference: Reference, { withCurrency = true } = {}): Promise<Revised | undefined> {
  const which = reference.by === 'id' ? sql`b.id = ${each('uuid', reference.id)}` : sql`b.external_id = ${each('text', reference.external_id)}`
  const [row] = await ctx.run<Revised>(sql`
    select b.revision, '{"bill":' || b.json || ',"created_by":' || to_json(b.created_by)::text
      || ',"bill_item":' || coalesce(lines.json[1], 'null') || ',"bill_items":[' || coalesce(array_to_string(lines.json, ','), '') || ']'
      || ',"pay_term":' || coalesce((select t.json from pay_terms_wire t where t.org_id = b.org_id and t.id = b.pay_term_id), 'null')
      || ${withCurrency ? sql`',"currency_info":' || coalesce((select c.json from currencies_wire c where c.id = b.currency_id), 'null')` : sql`''`} || '}' as json
    from bills_wire b
    left join lateral (
      select array_agg(i.json order by i.position) as json from bill_items_wire i where i.org_id = b.org_id and i.bill_id = b.id) lines on true
    where b.org_id = ${ctx.org} and ${which}`)
  return row
}

export type Locked = { bill: Bill; lines: number; payTermDays: number | null }

/**
 * The bill is ours until the transaction ends, and before it the statement it is on: whoever touches both takes them in this order, so nobody waits
 * in a circle. Both locks and the reading go out together; should the bill have come to another statement just then, that one is taken too.
 */
export async function lockBill(ctx: Context, reference: Reference): Promise<Locked | undefined> {
  const which = sql`b.org_id = ${ctx.org} and ${reference.by === 'id' ? sql`b.id = ${reference.id}` : sql`b.external_id = ${reference.external_id}`}`
  for (;;) {
    const [[statement], [bill], [read]] = await together(
      ctx.run<{ id: string }>(sql`
        select s.id from consolidated_bills s where s.org_id = ${ctx.org} and s.id = (select b.consolidated_bill_id from bills b where ${which}) for update`),
      ctx.run<{ statement: string | null }>(sql`select b.consolidated_bill_id as statement from bills b where ${which} for update`),
      ctx.run<Read>(asLocked(ctx.org, sql`(select b.id from bills b where ${which})`)),
    )
    if (!bill || !read) return undefined
    if (bill.statement === (statement?.id ?? null)) return lockedOf(read)
  }
}

/** These bills, which the caller has locked, in the order of their ids. */
export async function readLocked(ctx: Context, ids: readonly string[]): Promise<Locked[]> {
  const rows = await ctx.run<Read>(sql`${asLocked(ctx.org, sql`any(${ids}::uuid[])`)} order by w.id`)
  return rows.map(lockedOf)
}

type Read = { json: string; lines: number; days: number | null }

function asLocked(org: string, id: Statement): Statement {
  return sql`
    select w.json, (select count(*)::int from bill_items i where i.org_id = w.org_id and i.bill_id = w.id) as lines,
      (select t.number_of_days from pay_terms t where t.org_id = w.org_id and t.id = w.pay_term_id) as days
    from bills_wire w where w.org_id = ${org} and w.id = ${id}`
}

function lockedOf({ json, lines, days }: Read): Locked {
  return { bill: JSON.parse(json), lines, payTermDays: days }
}

/** These bills with their lines: what their history keeps of them. */
export function wholeBills(ctx: Context, ids: readonly string[]): Statement {
  return sql`
    select w.id, w.revision, w.open_json || ',"bill_items":[' || coalesce((
      select string_agg(i.json, ',' order by i.position) from bill_items_wire i where i.org_id = w.org_id and i.bill_id = w.id), '') || ']}' as json
    from bills_wire w where w.org_id = ${ctx.org} and w.id = any(${ids}::uuid[])`
}

export async function insertBill(ctx: Context, bill: Bill): Promise<void> {
  await insertCounted(
    ctx,
    countedBills,
    sql`
      insert into bills (org_id, id, full_id, external_id, status_id, currency_id, pay_term_id, master_trip_id, partner_carrier_id, qb_external_id, qb_error_msg, bill_date,
        due_date, qb_exported_at, send_to_email, cc_to_email, bill_to, remit_to, is_tax_on, notes, reference_number, sub_total_amount, tax_amount, total_amount, created_by)
      values (${ctx.org}, ${bill.id}, ${bill.full_id}, ${bill.external_id}, 'draft', ${bill.currency_id}, ${bill.pay_term_id}, ${bill.master_trip_id}, ${bill.partner_carrier_id},
        ${bill.qb_external_id}, ${bill.qb_error_msg}, ${bill.bill_date}, ${bill.due_date}, ${bill.qb_exported_at}, ${bill.send_to_email}, ${bill.cc_to_email}, ${bill.bill_to},
        ${bill.remit_to}, ${bill.is_tax_on}, ${bill.notes}, ${bill.reference_number}, ${bill.sub_total_amount}, ${bill.tax_amount}, ${bill.total_amount}, ${bill.created_by})`,
  ).catch(refuse(bill))
}

/** Everything that a rule may have changed, and the next revision. */
export async function saveBill(ctx: Context, bill: Bill, number: number | null): Promise<void> {
  await updateCounted(
    ctx,
    countedBills,
    sql`id = ${bill.id}`,
    sql`
      update bills set status_id = ${bill.status_id}, currency_id = ${bill.currency_id}, pay_term_id = ${bill.pay_term_id}, master_trip_id = ${bill.master_trip_id},
        partner_carrier_id = ${bill.partner_carrier_id}, qb_external_id = ${bill.qb_external_id}, qb_error_msg = ${bill.qb_error_msg}, bill_date = ${bill.bill_date},
        due_date = ${bill.due_date}, sent_at = ${bill.sent_at}, paid_at = ${bill.paid_at}, qb_exported_at = ${bill.qb_exported_at}, send_to_email = ${bill.send_to_email},
        cc_to_email = ${bill.cc_to_email}, bill_to = ${bill.bill_to}, remit_to = ${bill.remit_to}, is_tax_on = ${bill.is_tax_on}, notes = ${bill.notes},
        reference_number = ${bill.reference_number}, sub_total_amount = ${bill.sub_total_amount}, tax_amount = ${bill.tax_amount}, total_amount = ${bill.total_amount},
        consolidated_bill_id = ${bill.consolidated_bill_id}, number = coalesce(number, ${number}::int), revision = revision + 1, updated_at = greatest(clock_timestamp(), created_at)
      where org_id = ${ctx.org} and id = ${bill.id}`,
  ).catch(refuse(bill))
}

export async function deleteBill(ctx: Context, id: string): Promise<void> {
  await deleteCounted(ctx, countedBills, sql`id = ${id}`)
}

/** By whom is a name here: those who read it may not read who the users are, and must still know whom to ask. */
export async function listHistory(ctx: Context, id: string, search: { offset?: number; limit?: number }): Promise<string> {
  const page = pageOf(search)
  const [row] = await ctx.run<{ list: string; total: number }>(sql`
    select (select count(*)::int from events where org_id = ${ctx.org} and subject_type = 'bill' and subject_id = ${id}) as total,
      (select '[' || coalesce(string_agg(json, ',' order by id desc), '') || ']' from (
        select left(w.json, -1) || ',"actor_name":' || coalesce(to_json(coalesce(u.name, a.name))::text, 'null') || '}' as json, w.id
        from events_wire w join events e on e.org_id = w.org_id and e.id = w.id
          left join users u on u.org_id = e.org_id and u.id::text = e.actor ->> 'id' and e.actor ->> 'type' = 'user'
          left join applications a on a.org_id = e.org_id and a.client_id = e.actor ->> 'id' and e.actor ->> 'type' = 'application'
        where w.org_id = ${ctx.org} and w.subject_type = 'bill' and w.subject_id = ${id} order by w.id desc ${sliceOf(page)}) as page) as list`)
  return envelope('events', row ?? nothingFound, page)
}

function refuse({ external_id, pay_term_id, currency_id }: Bill) {
  return (error: unknown): never => {
    switch (violated(error)) {
      case 'bill_external_id':
        throw conflict('external_id_taken', `Another bill has the external_id ${quote(external_id)} already.`, [
          { field: 'external_id', code: 'taken', message: 'An external_id is unique in the organization.' },
        ])
      case 'bill_pay_term':
        throw unknownPayTerm(pay_term_id)
      case 'bill_currency':
        throw unknownCurrency(currency_id)
      case 'bill_statement':
        throw boundToStatement()
      case 'amount_is_exact_in_json':
        throw invalid('total_amount', 'amount_too_large', 'The total would be beyond ±9007199254740991, the largest amount that can be kept exactly.')
      default:
        throw error
    }
  }
}
