import { type Context, together } from '../../../platform/context.ts'
import { conflict, invalid, quote } from '../../../platform/core/refusal.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import type { Reference } from '../../../platform/core/values/ids.ts'
import { sum } from '../../../platform/core/values/money.ts'
import { takeNumbers } from '../../../platform/db/counts/counters.ts'
import { isAskedFor } from '../../../platform/db/sql/asked-for.ts'
import { violatedConstraint } from '../../../platform/db/sql/constraints.ts'
import { oneOf } from '../../../platform/db/sql/one-of.ts'
import { type Statement, sql } from '../../../platform/db/sql/sql.ts'
import { type EventOf, recordEach } from '../../../platform/events/record.ts'
import type { PaymentMethod, RecordedPayment } from '../../documents/model/kind/paying.ts'
import type { HomeCurrencyRate } from '../../rates/conversion.ts'
import { insertAllocations, type NewAllocation, type Target } from './allocations-store.ts'
import type { Allocation, Direction, Payment } from './model.ts'

/** A payment that is issued at once, with all that it settles. */
export type NewPayment = {
  id: string
  external_id: string | null
  direction: Direction
  partner_carrier_id: string | null
  customer_id: string | null
  currency_id: string
  amount: number
  method: PaymentMethod
  reference_number: string | null
  notes: string | null
  paid_at: string
  consolidated_bill_id: string | null
  created_by: string
  /** The payment that it pays back, and what rates between the two made of it. */
  refund_of_id?: string | null
  gain_amount?: number | null
  allocations: readonly NewAllocation[]
} & HomeCurrencyRate

/**
 * Inserts payments with numbers in a row, and what they settle: as many statements for a thousand as for one, all sent at once. The counter is ours from
 * the first statement on, so the second finds the numbers in it.
 */
export function insertPayments(ctx: Context, target: Target, payments: readonly NewPayment[]): Promise<unknown> {
  if (payments.length === 0) return Promise.resolve()
  const rows = payments.map(({ allocations, gain_amount = gainIn(allocations), ...payment }, place) => ({
    ...payment,
    allocated_amount: sum(
      allocations.map(({ amount }) => amount),
      'allocated_amount',
    ),
    realized_gain_amount: gain_amount,
    place,
  }))
  return together(
    takeNumbers(ctx, 'payment', payments.length),
    ctx
      .run(sql`
      insert into payments (org_id, id, number, external_id, direction, partner_carrier_id, customer_id, currency_id, amount, allocated_amount, method,
        reference_number, notes, paid_at, status, consolidated_bill_id, created_by, exchange_rate, home_currency_id, realized_gain_amount, refund_of_id)
      select own.org_id, n.id, c.value - ${payments.length - 1}::int + n.place, n.external_id, n.direction, n.partner_carrier_id, n.customer_id, n.currency_id, n.amount,
        n.allocated_amount, n.method, n.reference_number, n.notes, n.paid_at, 'issued', n.consolidated_bill_id, n.created_by, n.exchange_rate, n.home_currency_id,
        n.realized_gain_amount, n.refund_of_id
      from organizations own join counters c on c.org_id = own.org_id and c.name = 'payment' cross join jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as n(id uuid, place int, external_id text, direction text, partner_carrier_id uuid, customer_id uuid, currency_id text, amount bigint, allocated_amount bigint,
          method text, reference_number text, notes text, paid_at timestamptz, consolidated_bill_id uuid, created_by text, exchange_rate numeric, home_currency_id text, realized_gain_amount bigint, refund_of_id uuid)
      where own.org_id = ${ctx.org}`)
      .catch(refusing(payments[0] as NewPayment)),
    insertAllocations(ctx, target, payments),
  )
}

/** What rates made of it, where that is known of any part of it. */
function gainIn(allocations: readonly NewAllocation[]): number | null {
  const known = allocations.flatMap(({ gain_amount }) => gain_amount ?? [])
  return known.length > 0 ? sum(known, 'realized_gain_amount') : null
}

/** Voids payments, whose rows the caller has locked, and ends all that they settle. */
export async function voidPayments(ctx: Context, ids: readonly string[], reason: string): Promise<void> {
  if (ids.length === 0) return
  await together(
    ctx.run(sql`
      update payments set status = 'voided', voided_at = statement_timestamp(), void_reason = ${reason}, allocated_amount = 0, realized_gain_amount = null, ${nextRevision}
      where org_id = ${ctx.org} and id = ${oneOf(ids)}`),
    ctx.run(
      sql`update allocations set ended_at = statement_timestamp() where org_id = ${ctx.org} and payment_id = ${oneOf(ids)} and ended_at is null`,
    ),
  )
}

/** The payments that were made with a statement and stand. */
export async function listPaymentsFor(ctx: Context, statement: string): Promise<RecordedPayment[]> {
  const rows = await ctx.run<RecordedPayment>(sql`
    select amount, method, reference_number, wire_time(paid_at) as paid_at from payments
    where org_id = ${ctx.org} and consolidated_bill_id = ${statement} and status in ('issued', 'cleared')`)
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }))
}

export const nextRevision: Statement = sql`revision = revision + 1, updated_at = statement_timestamp()`

/** Payments `w` with what they settle, or with what a draft is meant for; the JSON is whole. */
export function wholeOf(org: string): Statement {
  return sql`w.open_json || ',"allocations":' || case when w.status = 'draft' then w.planned_allocations::text else '[' || coalesce((
    select string_agg(a.json, ',' order by a.created_at, a.id) from allocations_wire a where a.org_id = ${org} and a.payment_id = w.id and a.ended_at is null), '') || ']' end || '}'`
}

/** Records events of payments, each with the payment and its allocations as they are now. */
export function recordPaymentEvents(ctx: Context, events: readonly EventOf[]): Promise<void> {
  const ids = [...new Set(events.map(({ id }) => id))]
  return recordEach(
    ctx,
    'payment',
    events,
    sql`select w.id, w.revision, ${wholeOf(ctx.org)} as json from payments_wire w where w.org_id = ${ctx.org} and w.id = ${oneOf(ids)}`,
  )
}

export async function findPayment(
  ctx: Context,
  reference: Reference,
): Promise<(WireRecord & { id: string }) | undefined> {
  const which = isAskedFor(reference, 'w', { table: 'payments', org: ctx.org })
  const [row] = await ctx.run<WireRecord & { id: string }>(
    sql`select w.id, w.revision, ${wholeOf(ctx.org)} as json from payments_wire w where w.org_id = ${ctx.org} and ${which}`,
  )
  return row
}

/** The payment as it is once it is locked. The caller holds the locks of the documents that it settles, or finds that it does not. */
export async function lockPayment(ctx: Context, id: string): Promise<Payment | undefined> {
  const [, found] = await together(
    ctx.run(sql`select p.id from payments p where p.org_id = ${ctx.org} and p.id = ${id} for update`),
    ctx.run<{ json: string }>(
      sql`select ${wholeOf(ctx.org)} as json from payments_wire w where w.org_id = ${ctx.org} and w.id = ${id}`,
    ),
  )
  return found[0] && JSON.parse(found[0].json)
}

export async function insertDraft(ctx: Context, draft: Draft): Promise<void> {
  await ctx
    .run(sql`
      insert into payments (org_id, id, external_id, direction, partner_carrier_id, customer_id, currency_id, amount, planned_allocations, method, reference_number, notes,
        paid_at, status, created_by)
      values (${ctx.org}, ${draft.id}, ${draft.external_id}, ${draft.direction}, ${draft.partner_carrier_id}, ${draft.customer_id}, ${draft.currency_id}, ${draft.amount},
        ${JSON.stringify(draft.allocations)}::text::jsonb, ${draft.method}, ${draft.reference_number}, ${draft.notes}, ${draft.paid_at}, 'draft', ${draft.created_by})`)
    .catch(refusing(draft))
}

/** A payment before it is issued: what it is meant for is in the form of answers. */
export type Draft = Omit<
  NewPayment,
  'allocations' | 'refund_of_id' | 'gain_amount' | 'consolidated_bill_id' | keyof HomeCurrencyRate
> & {
  allocations: readonly Allocation[]
}

/** Everything that an update may have changed. */
export async function savePayment(ctx: Context, payment: Payment): Promise<void> {
  const planned = payment.status === 'draft' ? payment.allocations : []
  await ctx
    .run(sql`
      update payments set direction = ${payment.direction}, partner_carrier_id = ${payment.partner_carrier_id}, customer_id = ${payment.customer_id},
        currency_id = ${payment.currency_id}, amount = ${payment.amount}, planned_allocations = ${JSON.stringify(planned)}::text::jsonb, method = ${payment.method},
        reference_number = ${payment.reference_number}, notes = ${payment.notes}, paid_at = ${payment.paid_at}, status = ${payment.status}, ${nextRevision}
      where org_id = ${ctx.org} and id = ${payment.id}`)
    .catch(refusing(payment))
}

/** A draft becomes a payment with a number, and with what it settles, which is written before. */
export async function saveIssued(
  ctx: Context,
  id: string,
  { exchange_rate, home_currency_id }: HomeCurrencyRate,
): Promise<void> {
  await together(
    takeNumbers(ctx, 'payment', 1),
    ctx.run(sql`
      update payments p set status = 'issued', number = c.value, planned_allocations = '[]', exchange_rate = ${exchange_rate}, home_currency_id = ${home_currency_id}
      from counters c where p.org_id = ${ctx.org} and p.id = ${id} and c.org_id = p.org_id and c.name = 'payment'`),
    saveAllocated(ctx, id),
  )
}

/** What a payment settles has changed: its sums are those of its allocations. The caller has it locked. */
export async function saveAllocated(ctx: Context, id: string): Promise<void> {
  const standing = sql`from allocations a where a.org_id = ${ctx.org} and a.payment_id = ${id} and a.ended_at is null`
  await ctx.run(sql`
    update payments set allocated_amount = coalesce((select sum(a.amount)::bigint ${standing}), 0), realized_gain_amount = (select sum(a.gain_amount)::bigint ${standing}),
      ${nextRevision}
    where org_id = ${ctx.org} and id = ${id}`)
}

export async function deletePayment(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from payments where org_id = ${ctx.org} and id = ${id}`)
}

function refusing({ external_id, currency_id }: { external_id: string | null; currency_id: string }) {
  return (error: unknown): never => {
    switch (violatedConstraint(error)) {
      case 'payment_external_id':
        throw conflict('external_id_taken', `Another payment has the external_id ${quote(external_id)} already.`, [
          { field: 'external_id', code: 'taken', message: 'An external_id is unique in the organization.' },
        ])
      case 'payment_currency':
        throw invalid(
          'currency_id',
          'unknown_currency',
          `${quote(currency_id)} is not the lower-case code of an ISO 4217 currency, such as "usd".`,
        )
      default:
        throw error
    }
  }
}
