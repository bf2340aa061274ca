import { conflict, type Detail, type Refusal } from '../../platform/core/refusal.ts'
import { dayAfter } from '../../platform/core/values/dates.ts'
import { sum } from '../../platform/core/values/money.ts'
import { multiply, ratioOf, round } from '../../platform/core/values/ratio.ts'

/** `day` is that of its date in the time zone of the organization. */
type Discountable = { total_amount: number; amount_due: number; day: string | null }
export type Terms = { days: number | null; percent: string | null }

/**
 * What is taken off a bill that is paid on this day: the most that one of the terms gives, in percent of the whole bill. Nothing of a deduction, and never
 * all that is due.
 */
export function discountOf(
  { total_amount, amount_due, day }: Discountable,
  payOn: string,
  terms: readonly Terms[],
): number {
  if (amount_due <= 0 || day === null) return 0
  const amounts = terms.map(({ days, percent }) => {
    if (days === null || percent === null || (dayAfter(day, days) ?? payOn) < payOn) return 0
    return Number(round(multiply(ratioOf(percent), { n: BigInt(total_amount), d: 100n })))
  })
  return Math.min(Math.max(0, ...amounts), amount_due - 1)
}

/** A bill of a run: what the payment pays of it, what the carrier gives for being paid early, and what is set off. Together they are what is due. */
export type Item = {
  bill_id: string
  payment_id: string
  amount: number
  discount_amount: number
  set_off_amount: number
}

/** What a carrier owes us: what is left of a credit, or of an earlier payment. */
export type OwedAmount = {
  partner_carrier_id: string
  credit_id: string | null
  from_payment_id: string | null
  amount: number
}

/** What of that makes a payment of a run smaller: always all that was left of it when it was chosen. */
export type SetOff = Omit<OwedAmount, 'partner_carrier_id'> & { id: string; payment_id: string }

export function amountOf(parts: readonly { amount: number }[]): number {
  return sum(
    parts.map(({ amount }) => amount),
    'amount',
  )
}

/** Sets so much off against the bills of a payment, the first ones first. Deductions stay as they are. */
export function setOff(items: readonly Item[], available: number): Item[] {
  let left = available
  return items.map((item) => {
    const owed = item.amount + item.set_off_amount
    const set_off_amount = Math.min(left, Math.max(owed, 0))
    left -= set_off_amount
    return { ...item, amount: owed - set_off_amount, set_off_amount }
  })
}

/** How much of which bill each of them settles: the first settle the first bills. */
export function settledBy(
  setOffs: readonly SetOff[],
  items: readonly Item[],
): { from: SetOff; parts: { bill_id: string; amount: number }[] }[] {
  const open = items.map(({ bill_id, set_off_amount }) => ({ bill_id, left: set_off_amount }))
  return setOffs.map((from) => {
    let left = from.amount
    const parts = open.flatMap((bill) => {
      const amount = Math.min(left, bill.left)
      left -= amount
      bill.left -= amount
      return amount > 0 ? [{ bill_id: bill.bill_id, amount }] : []
    })
    return { from, parts }
  })
}

type Left = { id: string; amount: number }

/** Refuses to pay bills that are not as they were when they were chosen, and to set off what is not left any more. */
export function requireUnchanged(
  items: readonly Item[],
  bills: ReadonlyMap<string, { amount_due: number; status_id: string; voided_at: string | null }>,
  setOffs: readonly SetOff[],
  owing: readonly Left[],
): void {
  const changedBills = items.flatMap(({ bill_id, amount, discount_amount, set_off_amount }): Detail[] => {
    const bill = bills.get(bill_id)
    const isOpen = bill && bill.voided_at === null && bill.status_id !== 'draft' && bill.status_id !== 'paid'
    const planned = amount + discount_amount + set_off_amount
    if (isOpen && bill.amount_due === planned) return []
    const why = isOpen ? `owes ${bill.amount_due} now and not ${planned}` : 'is not owed any more'
    return [{ field: 'bill_id', code: 'bill_has_changed', message: `The bill "${bill_id}" ${why}.` }]
  })
  const left = new Map(owing.map(({ id, amount }) => [id, amount]))
  const changedSetOffs = setOffs.flatMap(({ credit_id, from_payment_id, amount }): Detail[] => {
    const now = left.get(credit_id ?? from_payment_id ?? '') ?? 0
    if (now >= amount) return []
    const [field, what] = credit_id
      ? ['credit_id', `credit "${credit_id}"`]
      : ['payment_id', `earlier payment "${from_payment_id}"`]
    return [
      { field, code: 'set_off_has_changed', message: `Of the ${what} ${now} is left now, and ${amount} is set off.` },
    ]
  })
  const problems = [...changedBills, ...changedSetOffs]
  if (problems.length === 0) return
  throw conflict(
    'run_out_of_date',
    `${problems.length} of the bills and set-offs have changed since they were chosen: take them out of the run. First: ${problems[0]?.message}`,
    problems,
  )
}

/** Refuses to pay bills that are not approved as they are now. */
export function requireApproved(unapproved: ReadonlyMap<string, Refusal>): void {
  const [first] = unapproved.values()
  if (!first) return
  const details = [...unapproved].map(
    ([bill, { message }]): Detail => ({
      field: 'bill_id',
      code: 'not_approved',
      message: `The bill "${bill}": ${message}`,
    }),
  )
  throw conflict(
    'not_approved',
    `${details.length} of the bills are not approved: have them approved, or take them out of the run. First: ${first.message}`,
    details,
  )
}
