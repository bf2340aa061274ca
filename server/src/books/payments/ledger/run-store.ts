import { type Context, together } from '../../../platform/context.ts'
import { takeNumbers } from '../../../platform/db/counts/counters.ts'
import { oneOf } from '../../../platform/db/sql/one-of.ts'
import { sql } from '../../../platform/db/sql/sql.ts'
import type { PaymentMethod } from '../../documents/model/kind/paying.ts'
import type { HomeCurrencyRate } from '../../rates/conversion.ts'
import type { Allocation, Payment } from './model.ts'
import { nextRevision, wholeOf } from './store.ts'

/** A draft of a payment run: one payment to one carrier, of so much of each of these bills. */
export type RunDraft = {
  id: string
  payment_run_id: string
  partner_carrier_id: string
  currency_id: string
  amount: number
  method: PaymentMethod
  reference_number: string | null
  paid_at: string
  created_by: string
  allocations: readonly Allocation[]
}

export async function insertDrafts(ctx: Context, drafts: readonly RunDraft[]): Promise<void> {
  const rows = JSON.stringify(drafts.map(({ allocations, ...draft }) => ({ ...draft, planned: allocations })))
  await ctx.run(sql`
    insert into payments (org_id, id, direction, partner_carrier_id, currency_id, amount, planned_allocations, method, reference_number, paid_at, status, created_by, payment_run_id)
    select own.org_id, n.id, 'out', n.partner_carrier_id, n.currency_id, n.amount, n.planned, n.method, n.reference_number, n.paid_at, 'draft', n.created_by, n.payment_run_id
    from organizations own cross join jsonb_to_recordset(${rows}::text::jsonb)
      as n(id uuid, partner_carrier_id uuid, currency_id text, amount bigint, planned jsonb, method text, reference_number text, paid_at timestamptz, created_by text,
        payment_run_id uuid)
    where own.org_id = ${ctx.org}`)
}

export type Revision = { id: string; amount: number; method: PaymentMethod; allocations: readonly Allocation[] }

export async function saveDrafts(ctx: Context, drafts: readonly Revision[]): Promise<void> {
  const rows = JSON.stringify(
    drafts.map(({ id, amount, method, allocations }) => ({
      draft: id,
      new_amount: amount,
      new_method: method,
      planned: allocations,
    })),
  )
  await ctx.run(sql`
    update payments p set amount = n.new_amount, method = n.new_method, planned_allocations = n.planned, revision = p.revision + 1, updated_at = statement_timestamp()
    from (select * from jsonb_to_recordset(${rows}::text::jsonb) as r(draft uuid, new_amount bigint, new_method text, planned jsonb)) n
    where p.org_id = ${ctx.org} and p.id = n.draft`)
}

export async function deleteDrafts(ctx: Context, ids: readonly string[]): Promise<void> {
  await ctx.run(sql`delete from payments where org_id = ${ctx.org} and id = ${oneOf(ids)} and status = 'draft'`)
}

/** These payments, locked in the order of their ids. */
export async function lockPayments(ctx: Context, ids: readonly string[]): Promise<Payment[]> {
  const [, found] = await together(
    ctx.run(
      sql`select p.id from payments p where p.org_id = ${ctx.org} and p.id = ${oneOf(ids)} order by p.id for update`,
    ),
    ctx.run<{ json: string }>(
      sql`select ${wholeOf(ctx.org)} as json from payments_wire w where w.org_id = ${ctx.org} and w.id = ${oneOf(ids)} order by w.id`,
    ),
  )
  return found.map(({ json }) => JSON.parse(json))
}

export type IssuedPayment = HomeCurrencyRate & { id: string; realized_gain_amount: number | null }

/** Drafts become payments with numbers in a row, wholly allocated by what is written with them. */
export async function saveIssuedEach(ctx: Context, issued: readonly IssuedPayment[]): Promise<void> {
  const rows = JSON.stringify(
    issued.map(({ id, exchange_rate, home_currency_id, realized_gain_amount }, place) => ({
      ...{ draft: id, place, rate: exchange_rate, home: home_currency_id, gain: realized_gain_amount },
    })),
  )
  await together(
    takeNumbers(ctx, 'payment', issued.length),
    ctx.run(sql`
      update payments p set status = 'issued', number = c.value - ${issued.length - 1}::int + n.place, planned_allocations = '[]', allocated_amount = p.amount,
        exchange_rate = n.rate, home_currency_id = n.home, realized_gain_amount = n.gain, ${nextRevision}
      from counters c, (select * from jsonb_to_recordset(${rows}::text::jsonb) as r(draft uuid, place int, rate numeric, home text, gain bigint)) n
      where p.org_id = ${ctx.org} and p.id = n.draft and c.org_id = p.org_id and c.name = 'payment'`),
  )
}
