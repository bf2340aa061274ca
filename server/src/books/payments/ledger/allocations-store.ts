import { type Context, together } from '../../../platform/context.ts'
import { oneOf } from '../../../platform/db/sql/one-of.ts'
import { named, nothing, sql, when } from '../../../platform/db/sql/sql.ts'
import type { Status } from '../../documents/model/fields/lifecycle.ts'
import type { PaymentMethod } from '../../documents/model/kind/paying.ts'
import type { Allocation, Direction, PaymentStatus } from './model.ts'

/** The column of an allocation that names the document which it settles. */
export type Target = 'bill_id' | 'invoice_id' | 'to_credit_id'

/** What answers and bodies call it. */
export function wireName(target: Target): 'bill_id' | 'invoice_id' | 'credit_id' {
  return target === 'to_credit_id' ? 'credit_id' : target
}

export type NewAllocation = { id: string; target: string; amount: number; gain_amount: number | null }

type Source = {
  id: string
  currency_id: string
  partner_carrier_id: string | null
  customer_id: string | null
  /** The payment run that has this applied. */
  applied_by?: string | null
  allocations: readonly NewAllocation[]
}

/** What payments, or credits, settle, whose rows the caller has inserted or locked. */
export async function insertAllocations(
  ctx: Context,
  target: Target,
  sources: readonly Source[],
  source: 'payment_id' | 'from_credit_id' = 'payment_id',
): Promise<void> {
  const rows = sources.flatMap(
    ({ id: source_id, currency_id, partner_carrier_id, customer_id, applied_by = null, allocations }) =>
      allocations.map((allocation) => ({
        ...allocation,
        source_id,
        currency_id,
        payee_id: partner_carrier_id ?? customer_id ?? nobody,
        applied_by,
      })),
  )
  if (rows.length === 0) return
  await ctx.run(sql`
    insert into allocations (org_id, id, ${named(source)}, ${named(target)}, currency_id, payee_id, amount, gain_amount, payment_run_id)
    select own.org_id, n.id, n.source_id, n.target, n.currency_id, n.payee_id, n.amount, n.gain_amount, n.applied_by
    from organizations own cross join jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as n(id uuid, source_id uuid, target uuid, currency_id text, payee_id uuid, amount bigint, gain_amount bigint, applied_by uuid)
    where own.org_id = ${ctx.org}`)
}

/** Documents and payments without a party: as their keys have it, which cannot hold null. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** What settles documents at this moment. */
export type StandingAllocation = {
  id: string
  target: string
  amount: number
  payment_id: string | null
  from_credit_id: string | null
  bill_id: string | null
  invoice_id: string | null
  direction: Direction | null
  method: PaymentMethod | null
  status: PaymentStatus | null
  number: number | null
  reference_number: string | null
  paid_at: string | null
  /** The statement that the payment was made with. */
  consolidated_bill_id: string | null
  /** The payment run that the payment is of, or that has set this off. */
  payment_run_id: string | null
  /** How much of the payment settles nothing yet. */
  unallocated: number
  /** How many other documents the same payment settles. */
  others: number
}

/** What settles these documents, whose locks the caller holds; the payments among it are locked, in the order of their ids. */
export async function lockStanding(
  ctx: Context,
  target: Target,
  documents: readonly string[],
): Promise<StandingAllocation[]> {
  // A credit is settled by what it is applied to as well.
  const applied = target === 'to_credit_id' ? sql` or a.from_credit_id = ${oneOf(documents)}` : nothing
  const ofThese = sql`(a.${named(target)} = ${oneOf(documents)}${applied}) and a.ended_at is null`
  const [, found] = await together(
    ctx.run(sql`
      select p.id from payments p where p.org_id = ${ctx.org} and p.id in (select a.payment_id from allocations a where a.org_id = ${ctx.org} and ${ofThese})
      order by p.id for update`),
    ctx.run<StandingAllocation>(sql`
      select a.id, ${target === 'to_credit_id' ? sql`coalesce(a.to_credit_id, a.from_credit_id)` : sql`a.${named(target)}`} as target, a.amount, a.payment_id, a.from_credit_id,
        a.bill_id, a.invoice_id, p.direction, p.method, p.status, p.number, p.reference_number, wire_time(p.paid_at) as paid_at,
        p.consolidated_bill_id, coalesce(a.payment_run_id, p.payment_run_id) as payment_run_id, coalesce(p.amount - p.allocated_amount, 0) as unallocated,
        (select count(*)::int from allocations o where o.org_id = ${ctx.org} and o.payment_id = a.payment_id and o.ended_at is null
          and not (o.${named(target)} = ${oneOf(documents)})) as others
      from allocations a left join payments p on p.org_id = a.org_id and p.id = a.payment_id
      where a.org_id = ${ctx.org} and ${ofThese} order by a.created_at, a.id`),
  )
  return found.map((one) => ({ ...one, amount: Number(one.amount), unallocated: Number(one.unallocated) }))
}

export async function endAllocation(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`update allocations set ended_at = statement_timestamp() where org_id = ${ctx.org} and id = ${id}`)
}

/** Where these documents stood before they were paid. */
export async function listUnpaidStates(
  ctx: Context,
  plural: string,
  ids: readonly string[],
): Promise<Map<string, Status>> {
  const rows = await ctx.run<{ id: string; unpaid: Status }>(
    sql`select id, unpaid_status_id as unpaid from ${named(plural)} where org_id = ${ctx.org} and id = ${oneOf(ids)} and unpaid_status_id is not null`,
  )
  return new Map(rows.map(({ id, unpaid }) => [id, unpaid]))
}

type Owed = {
  plural: string
  date: string
  party: string
  payee: string
  currency_id: string
  amount: number
  areApproved: boolean
}

/** The documents of a party that are due longest, as many as the amount reaches for, oldest first. */
export async function listOldestDue(
  ctx: Context,
  { plural, date, party, payee, currency_id, amount, areApproved }: Owed,
): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(sql`
    select id from (
      select id, place, sum(due) over (order by place) - due as before from (
        select id, total_amount - coalesce(amount_paid, 0) as due, row_number() over (order by due_date nulls last, ${named(date)} nulls last, id) as place from ${named(plural)}
        where org_id = ${ctx.org} and ${named(party)} = ${payee} and currency_id = ${currency_id} and status_id in ('saved', 'sent', 'edited')
          and total_amount > 0 and voided_at is null ${areApproved ? sql`and approval_status in ('not_needed', 'approved')` : nothing}) as owed) as reached
    where before < ${amount} order by place limit 1000`)
  return rows.map(({ id }) => id)
}

export type AppliedPart = Allocation & { id: string; payment_run_id: string | null }

/** What a credit is applied to by this allocation, while it counts. */
export async function findApplied(ctx: Context, credit: string, allocation: string): Promise<AppliedPart | undefined> {
  const [row] = await ctx.run<{ json: string; payment_run_id: string | null }>(
    sql`select a.json, a.payment_run_id from allocations_wire a where a.org_id = ${ctx.org} and a.id = ${allocation} and a.from_credit_id = ${credit} and a.ended_at is null`,
  )
  return row && { ...JSON.parse(row.json), payment_run_id: row.payment_run_id }
}

/** The payment run that has set off this part of a payment, or any part of it, while that counts. The caller has the payment locked. */
export async function findSetOff(
  ctx: Context,
  payment: string,
  allocation?: string,
): Promise<{ payment_run_id: string | null }> {
  const [row] = await ctx.run<{ payment_run_id: string }>(sql`
    select a.payment_run_id from allocations a where a.org_id = ${ctx.org} and a.payment_id = ${payment} and a.ended_at is null and a.payment_run_id is not null
      ${when(allocation, sql`and a.id = ${allocation}`)} limit 1`)
  return row ?? { payment_run_id: null }
}
