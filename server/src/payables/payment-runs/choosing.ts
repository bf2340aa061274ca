import { listUnapproved } from '../../books/approvals/judging/judging.ts'
import type { Document } from '../../books/documents/model/fields/standard-fields.ts'
import { lockBills } from '../../books/payments/runs.ts'
import { type Context, together } from '../../platform/context.ts'
import { conflict, type Detail } from '../../platform/core/refusal.ts'
import { newId } from '../../platform/core/values/ids.ts'
import type { Destination } from '../payees/recorded/destinations.ts'
import type { LeftOutBills } from './model.ts'
import { amountOf, discountOf, type Item, type OwedAmount, type SetOff, setOff } from './rules.ts'
import { type BillsNotChosen, type DueBill, listDays, listTaken } from './store.ts'

/** `day` is that of the bill's date. */
export type ChosenBill = { due: DueBill; bill: Document; day: string | null }

/** Those of the bills that are still as they were found once they are locked. */
export async function chooseBills(
  ctx: Context,
  wanted: readonly DueBill[],
  currency_id: string,
): Promise<ChosenBill[]> {
  const ids = wanted.map(({ bill_id }) => bill_id)
  const locked = new Map(
    (await lockBills(ctx, ids)).map((bill) => [bill.id, bill as Document & { partner_carrier_id: string | null }]),
  )
  const [taken, days] = await together(listTaken(ctx, ids), listDays(ctx, ids))
  const unapproved = await listUnapproved(ctx, [...locked.keys()])
  return wanted.flatMap((due) => {
    const bill = locked.get(due.bill_id)
    const isOpen = bill && bill.voided_at === null && bill.status_id !== 'draft' && bill.status_id !== 'paid'
    if (
      !isOpen ||
      taken.has(due.bill_id) ||
      unapproved.has(due.bill_id) ||
      bill.currency_id !== currency_id ||
      bill.partner_carrier_id !== due.partner_carrier_id
    )
      return []
    return [{ due, bill, day: days.get(due.bill_id) ?? null }]
  })
}

export type BillGroup = {
  id: string
  partner_carrier_id: string
  payee_id: string
  method: Destination['method']
  amount: number
  items: Item[]
  set_offs: SetOff[]
}

/** A payment for each carrier, less what the carrier owes us; and the carriers that get none, with the reason. */
export function groupByCarrier(
  chosen: readonly ChosenBill[],
  destinations: ReadonlyMap<string, Destination>,
  owing: readonly OwedAmount[],
  payOn: string,
): { payments: BillGroup[]; left_out: LeftOutBills[] } {
  const left_out: LeftOutBills[] = []
  const payments = [...Map.groupBy(chosen, ({ due }) => due.partner_carrier_id)].flatMap(
    ([partner_carrier_id, bills]): BillGroup[] => {
      const destination = destinations.get(partner_carrier_id)
      const ofCarrier = owing.filter((one) => one.partner_carrier_id === partner_carrier_id)
      const payment = paymentTo(destination, bills, ofCarrier, payOn)
      if (typeof payment !== 'string') return [{ ...payment, partner_carrier_id }]
      left_out.push({ partner_carrier_id, reason: payment, bill_count: bills.length })
      return []
    },
  )
  return { payments, left_out }
}

/** The payment, or why there is none. */
function paymentTo(
  destination: Destination | undefined,
  bills: readonly ChosenBill[],
  owing: readonly OwedAmount[],
  payOn: string,
): Omit<BillGroup, 'partner_carrier_id'> | LeftOutBills['reason'] {
  if (!destination) return 'no_payee'
  if (destination.is_held) return 'payee_change_waiting'
  const id = newId()
  const items = bills.map(({ due, bill, day }): Item => {
    const terms = [
      { days: due.discount_days, percent: due.discount_percent },
      { days: destination.quick_pay_days, percent: destination.quick_pay_percent },
    ]
    const discount_amount = discountOf({ ...bill, day }, payOn, terms)
    return {
      bill_id: bill.id,
      payment_id: id,
      amount: bill.amount_due - discount_amount,
      discount_amount,
      set_off_amount: 0,
    }
  })
  const owed = amountOf(items)
  if (owed <= 0) return 'nothing_to_pay'
  const available = amountOf(owing)
  if (available >= owed) return 'covered_by_credits'
  const set_offs = owing.map(({ credit_id, from_payment_id, amount }) => ({
    id: newId(),
    payment_id: id,
    credit_id,
    from_payment_id,
    amount,
  }))
  const { payee_id, method } = destination
  return { id, payee_id, method, amount: owed - available, items: setOff(items, available), set_offs }
}

/** Why a carrier is left out, after "1 carrier" or its name. */
const why: Record<LeftOutBills['reason'], string> = {
  no_payee: 'has no payee',
  payee_change_waiting: 'has a payee whose change waits for a second person',
  nothing_to_pay: 'owes as much as it is owed',
  covered_by_credits: 'has credits that come to as much as it is owed: apply those to the bills',
  not_approved: 'has bills that are not approved',
}

/** What helps against it; of credits the reason says it. */
const remedies: Partial<Record<LeftOutBills['reason'], string>> = {
  no_payee: 'make a payee for each carrier that has none',
  payee_change_waiting: 'have a second person decide on the change of the payee',
  not_approved: 'have the bills approved',
}

function adviceFor(left_out: readonly LeftOutBills[], { later, in_runs, without_carrier }: BillsNotChosen): string {
  const ways = [
    ...new Set(left_out.flatMap(({ reason }) => remedies[reason] ?? [])),
    ...(later > 0 ? ['choose a later day'] : []),
    ...(in_runs > 0 ? ['see to the other run'] : []),
    ...(without_carrier > 0 ? ['give each bill a carrier'] : []),
  ]
  if (ways.length === 0)
    return left_out.length > 0 ? '' : ' No bill is open in this currency, of these carriers: choose others.'
  const advice = ways.join(', or ')
  return ` ${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`
}

/** Says of every carrier why it is left out, and of the other open bills why they were not chosen. */
export function nothingDue(
  left_out: readonly LeftOutBills[],
  others: BillsNotChosen,
  names: ReadonlyMap<string, string>,
) {
  const { later, first_due, in_runs, without_carrier } = others
  const details = left_out.map(({ partner_carrier_id: id, reason, bill_count }): Detail => {
    const message = `${names.get(id) ?? `The carrier ${id}`} ${why[reason]}: ${counted(bill_count, 'bill')} ${bill_count === 1 ? 'is' : 'are'} left out.`
    return { field: 'partner_carrier_ids', code: reason, message, allowed: [id] }
  })
  const reasons = [...Map.groupBy(left_out, ({ reason }) => reason)].map(([reason, list]) =>
    list.length === 1
      ? `${names.get(list[0]?.partner_carrier_id ?? '') ?? '1 carrier'} ${why[reason]}`
      : `${list.length} carriers: each ${why[reason]}`,
  )
  const parts = [
    ...reasons,
    ...(later > 0
      ? [`${counted(later, 'bill')} ${later === 1 ? 'is due later, on' : 'are due later, the first on'} ${first_due}`]
      : []),
    ...(in_runs > 0 ? [`${counted(in_runs, 'bill')} ${in_runs === 1 ? 'is' : 'are'} in another run`] : []),
    ...(without_carrier > 0
      ? [`${counted(without_carrier, 'bill')} ${without_carrier === 1 ? 'names' : 'name'} no carrier`]
      : []),
  ]
  const message = `Nothing is due that could be paid${parts.length > 0 ? `: ${parts.join('; ')}` : ''}.${adviceFor(left_out, others)}`
  return conflict('nothing_due', message, details)
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
