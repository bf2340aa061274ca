import type { Context } from '../../context.ts'
import { newId } from '../../core/ids.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { insertCounted, updateCounted } from '../../db/tallies.ts'
import { countedBills } from './counted.ts'
import type { BillItem } from './line-model.ts'
import type { Bill } from './model.ts'
import type { Current, Known, RowLine } from './upsert-model.ts'

export type Named = { payTerms: string[]; currencies: string[]; itemTypes: string[] }

/** Which of these are there. Terms and types stay there until the transaction ends. */
export async function lookUp(ctx: Context, { payTerms, currencies, itemTypes }: Named): Promise<Omit<Known, 'now'>> {
  const [terms, codes, types] = await Promise.all([
    ctx.run<{ id: string; days: number }>(
      sql`select id, number_of_days as days from pay_terms where org_id = ${ctx.org} and id = any(${payTerms}::uuid[]) order by id for key share`,
    ),
    ctx.run<{ id: string }>(sql`select id from currencies where id = any(${currencies}::text[])`),
    ctx.run<{ id: string }>(sql`select id from bill_item_types where org_id = ${ctx.org} and id = any(${itemTypes}::uuid[]) order by id for key share`),
  ])
  return {
    payTerms: new Map(terms.map(({ id, days }) => [id, days])),
    currencies: new Set(codes.map(({ id }) => id)),
    itemTypes: new Set(types.map(({ id }) => id)),
  }
}

/**
 * The bills of these external ids or ids, locked: the statements they are on first, then the bills, each by id, as everyone who takes several does.
 * Null where one was moved or removed meanwhile.
 */
export async function lockNamed(ctx: Context, names: { externalIds: string[]; ids: string[] }): Promise<Current[] | null> {
  const found = await ctx.run<{ id: string; statement: string | null }>(sql`
    select id, consolidated_bill_id as statement from bills
    where org_id = ${ctx.org} and (external_id = any(${names.externalIds}::text[]) or id = any(${names.ids}::uuid[]))`)
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const statements = [...new Set(found.flatMap(({ statement }) => statement ?? []))]
  if (statements.length > 0)
    await ctx.run(sql`select id from consolidated_bills where org_id = ${ctx.org} and id = any(${statements}::uuid[]) order by id for update`)
  const locked = await ctx.run<{ id: string; statement: string | null }>(
    sql`select id, consolidated_bill_id as statement from bills where org_id = ${ctx.org} and id = any(${ids}::uuid[]) order by id for update`,
  )
  const now = new Map(locked.map(({ id, statement }) => [id, statement]))
  return found.every(({ id, statement }) => now.get(id) === statement) ? readCurrent(ctx, ids) : null
}

async function readCurrent(ctx: Context, ids: readonly string[]): Promise<Current[]> {
  const rows = await ctx.run<{ json: string; lines: string; days: number | null }>(sql`
    select w.json, (select t.number_of_days from pay_terms t where t.org_id = w.org_id and t.id = w.pay_term_id) as days,
      '[' || coalesce((select string_agg(i.json, ',' order by i.position) from bill_items_wire i where i.org_id = w.org_id and i.bill_id = w.id), '') || ']' as lines
    from bills_wire w where w.org_id = ${ctx.org} and w.id = any(${ids}::uuid[])`)
  return rows.map(({ json, lines, days }) => ({ bill: JSON.parse(json), lines: JSON.parse(lines) as BillItem[], payTermDays: days }))
}

/** A bill with the number that it gets, if it gets one now. */
export type Numbered = Bill & { new_number: number | null }

/** New bills, each in the state it has come to; gives back how many went in. One whose external id another has taken meanwhile does not. */
export async function insertBills(ctx: Context, bills: readonly Numbered[]): Promise<number> {
  // Everyone inserts in this order, so that nobody waits in a circle.
  const ordered = bills.toSorted((one, other) => ((one.external_id ?? '') < (other.external_id ?? '') ? -1 : 1))
  await insertCounted(
    ctx,
    countedBills,
    sql`
    insert into bills (org_id, id, full_id, external_id, status_id, currency_id, pay_term_id, master_trip_id, partner_carrier_id, qb_external_id, qb_error_msg, bill_date,
      due_date, qb_exported_at, send_to_email, cc_to_email, bill_to, remit_to, is_tax_on, notes, reference_number, sub_total_amount, tax_amount, total_amount, created_by, sent_at,
      paid_at, number, revision)
    select ${ctx.org}::uuid, n.id, n.full_id, n.external_id, n.to_status, n.currency_id, n.pay_term_id, n.master_trip_id, n.partner_carrier_id, n.qb_external_id, n.qb_error_msg, n.bill_date,
      n.due_date, n.qb_exported_at, n.send_to_email, n.cc_to_email, n.bill_to, n.remit_to, n.is_tax_on, n.notes, n.reference_number, n.sub_total_amount, n.tax_amount, n.total_amount,
      n.created_by, n.sent_at, n.paid_at, n.new_number, n.revision
    from ${recordsOf(ordered)}
    on conflict on constraint bill_external_id do nothing`,
  )
  const [row] = await ctx.run<{ made: number }>(
    sql`select count(*)::int as made from bills where org_id = ${ctx.org} and id = any(${bills.map(({ id }) => id)}::uuid[])`,
  )
  return row?.made ?? 0
}

/** What the rules made of these bills, one revision further each. */
export async function saveBills(ctx: Context, bills: readonly Numbered[]): Promise<void> {
  await updateCounted(
    ctx,
    countedBills,
    sql`id = any(${bills.map(({ id }) => id)}::uuid[])`,
    sql`
    update bills b set status_id = n.to_status, currency_id = n.currency_id, pay_term_id = n.pay_term_id, master_trip_id = n.master_trip_id,
      partner_carrier_id = n.partner_carrier_id, qb_external_id = n.qb_external_id, qb_error_msg = n.qb_error_msg, bill_date = n.bill_date, due_date = n.due_date,
      sent_at = n.sent_at, paid_at = n.paid_at, qb_exported_at = n.qb_exported_at, send_to_email = n.send_to_email, cc_to_email = n.cc_to_email, bill_to = n.bill_to,
      remit_to = n.remit_to, is_tax_on = n.is_tax_on, notes = n.notes, reference_number = n.reference_number, sub_total_amount = n.sub_total_amount,
      tax_amount = n.tax_amount, total_amount = n.total_amount, number = coalesce(b.number, n.new_number), revision = b.revision + 1, updated_at = greatest(clock_timestamp(), b.created_at)
    from ${recordsOf(bills)} where b.org_id = ${ctx.org} and b.id = n.id`,
  )
}

function recordsOf(bills: readonly Numbered[]): Statement {
  const rows = bills.map((bill) => ({ ...bill, to_status: bill.status_id }))
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as n(id uuid, full_id uuid, external_id text, to_status text, currency_id text, pay_term_id uuid,
    master_trip_id uuid, partner_carrier_id uuid, qb_external_id text, qb_error_msg text, bill_date timestamptz, due_date timestamptz, sent_at timestamptz, paid_at timestamptz,
    qb_exported_at timestamptz, send_to_email text, cc_to_email text, bill_to jsonb, remit_to jsonb, is_tax_on boolean, notes text, reference_number text,
    sub_total_amount bigint, tax_amount bigint, total_amount bigint, created_by text, new_number int, revision int)`
}

export type LinesOf = { bill: string; lines: readonly RowLine[] }

/** These lines and no others, for each of these bills. */
export async function replaceLines(ctx: Context, all: readonly LinesOf[]): Promise<void> {
  await ctx.run(sql`delete from bill_items where org_id = ${ctx.org} and bill_id = any(${all.map(({ bill }) => bill)}::uuid[])`)
  await insertLinesOf(ctx, all)
}

export async function insertLinesOf(ctx: Context, all: readonly LinesOf[]): Promise<void> {
  const rows = all.flatMap(({ bill, lines }) => lines.map((line, index) => ({ id: newId(), ...line, bill_id: bill, position: index + 1 })))
  if (rows.length === 0) return
  await ctx.run(sql`
    insert into bill_items (org_id, id, bill_id, position, bill_item_type_id, manifest_id, manifest_payment_item_id, unit_price, quantity, total_amount, description, created_at, updated_at)
    select ${ctx.org}::uuid, l.id, l.bill_id, l.position, l.bill_item_type_id, l.manifest_id, l.manifest_payment_item_id, l.unit_price, l.quantity, l.total_amount, l.description,
      coalesce(l.created_at, now()), coalesce(l.updated_at, clock_timestamp())
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as l(id uuid, bill_id uuid, position int, bill_item_type_id uuid, manifest_id uuid, manifest_payment_item_id uuid,
      unit_price bigint, quantity bigint, total_amount bigint, description text, created_at timestamptz, updated_at timestamptz)`)
}
