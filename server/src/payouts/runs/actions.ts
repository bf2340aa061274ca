import { actorId } from '../../auth/applications/actor-id.ts'
import { listUnapproved } from '../../billing/approvals/judging.ts'
import { requireCurrencies } from '../../billing/currencies/known.ts'
import { normalDate } from '../../billing/documents/model/normal.ts'
import type { Document } from '../../billing/documents/model/standard-fields.ts'
import { draftPayments, lockBills, plannedFor, removeDrafts, reviseDrafts } from '../../billing/payments/runs.ts'
import { type Context, together, transaction } from '../../context.ts'
import { parseDate } from '../../core/dates.ts'
import { newId, type Reference } from '../../core/ids.ts'
import { sum } from '../../core/money.ts'
import { conflict, notFound } from '../../core/refusal.ts'
import { type Expected, type Revised, requireExpected } from '../../core/revisions.ts'
import { record } from '../../events/record.ts'
import { type Destination, destinationsOf } from '../payees/destinations.ts'
import { requireSecondPerson } from '../second-person.ts'
import { discountOf, type Item, type LeftOut, mostBills, type NewPaymentRun, type PaymentRun } from './model.ts'
import {
  type Due,
  deleteAll,
  deleteItem,
  deleteRun,
  deleteRunPayments,
  findRun,
  findToday,
  insertParts,
  insertRun,
  listDue,
  listItems,
  listNotApproved,
  listRunPayments,
  listTaken,
  lockRun,
  saveApproval,
  saveDraft,
} from './store.ts'

/** Chooses what is due, and makes a draft of a payment for each carrier. Payees are locked before bills; another run waits for both. */
export function createRun(ctx: Context, input: NewPaymentRun): Promise<Revised & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const currency_id = input.currency_id.toLowerCase()
    await requireCurrencies(ctx, [currency_id], 'currency_id')
    const pay_on = input.pay_on ?? (await findToday(ctx))
    const partner_carrier_ids = input.partner_carrier_ids ?? null
    const asked = { until: parseDate(input.due_until, 'end') as Date, currency_id, partner_carrier_ids }
    const [due, notApproved] = await together(listDue(ctx, asked), listNotApproved(ctx, asked))
    const wanted = due.slice(0, mostBills)
    const destinations = await destinationsOf(ctx, [...new Set(wanted.map(({ partner_carrier_id }) => partner_carrier_id))])
    const chosen = await chooseBills(ctx, wanted, currency_id)
    const { payments, ...grouped } = groupByCarrier(chosen, destinations, pay_on)
    const left_out = [...grouped.left_out, ...notApproved.map((one): LeftOut => ({ ...one, reason: 'not_approved' }))]
    if (payments.length === 0) throw nothingDue(left_out)
    const id = newId()
    const created_by = await actorId(ctx)
    const { due_until, external_id = null } = input
    await insertRun(ctx, { id, due_until, pay_on, currency_id, created_by, has_more: due.length > mostBills, external_id, partner_carrier_ids, left_out })
    const paid_at = normalDate(pay_on, 'pay_on') as string
    const drafts = payments.map(({ items, method, partner_carrier_id, ...payment }) => ({
      ...{ id: payment.id, payment_run_id: id, partner_carrier_id, currency_id, amount: payment.amount, method, reference_number: null, paid_at, created_by },
      allocations: plannedFor(items),
    }))
    await draftPayments(ctx, drafts)
    await insertParts(
      ctx,
      id,
      payments,
      payments.flatMap(({ items }) => items),
    )
    return { id, ...(await recordRun(ctx, 'created', id)) }
  })
}

/** Takes a bill out of a run that is not issued. A run that was approved is a draft again. */
export function takeOut(ctx: Context, reference: Reference, bill: string, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const run = await lockExpected(ctx, reference, expected)
    requireNotIssued(run)
    const items = await listItems(ctx, run.id)
    const item = items.find(({ bill_id }) => bill_id === bill.toLowerCase())
    if (!item) throw notFound('bill in this payment run', bill)
    const rest = items.filter((other) => other.payment_id === item.payment_id && other !== item)
    const amount = sum(
      rest.map(({ amount }) => amount),
      'amount',
    )
    if (rest.length > 0 && amount <= 0)
      throw conflict('has_deductions', 'Without this bill the others of the carrier come to nothing or less. Take out the deductions first.')
    await deleteItem(ctx, run.id, item.bill_id)
    if (rest.length > 0) await reviseDrafts(ctx, [{ id: item.payment_id, amount, allocations: plannedFor(rest) }])
    else {
      await deleteRunPayments(ctx, [item.payment_id])
      await removeDrafts(ctx, [item.payment_id])
    }
    await saveDraft(ctx, [run.id])
    return recordRun(ctx, 'updated', run.id, { previous: { status: run.status, bill_count: run.bill_count, total_amount: run.total_amount } })
  })
}

/** A second person lets a run be issued. */
export function approveRun(ctx: Context, reference: Reference, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const run = await lockExpected(ctx, reference, expected)
    if (run.status === 'approved') return present(ctx, run.id)
    requireNotIssued(run)
    if (run.payment_count === 0) throw conflict('run_is_empty', 'Every bill was taken out of this payment run. Delete it.')
    await saveApproval(ctx, run.id, await requireSecondPerson(ctx, run.created_by, 'A payment run'))
    return recordRun(ctx, 'approved', run.id, { previous: { status: run.status } })
  })
}

/** Its drafts go with it; the bills can be chosen again. */
export function removeRun(ctx: Context, reference: Reference, expected: Expected): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const run = await lockExpected(ctx, reference, expected)
    requireNotIssued(run)
    const payments = await listRunPayments(ctx, run.id)
    const { revision, json: data } = await present(ctx, run.id)
    await deleteAll(ctx, run.id)
    await removeDrafts(
      ctx,
      payments.map(({ payment_id }) => payment_id),
    )
    await record(ctx, { type: 'payment_run.deleted', subject: { type: 'payment_run', id: run.id }, revision, data })
    await deleteRun(ctx, run.id)
  })
}

export async function lockExpected(ctx: Context, reference: Reference, expected: Expected): Promise<PaymentRun> {
  const sent = reference.by === 'id' ? reference.id : reference.external_id
  const found = await findRun(ctx, reference)
  const run = found && (await lockRun(ctx, found.id))
  if (!run) throw notFound('payment run', sent)
  requireExpected(expected, run.revision)
  return run
}

type Noted = { previous?: Record<string, unknown>; returned?: object }

/** Answers the run as it is now. */
export async function recordRun(ctx: Context, verb: string, id: string, { previous, returned }: Noted = {}): Promise<Revised> {
  const { revision, json } = await present(ctx, id)
  const data = returned === undefined ? json : `${json.slice(0, -1)},"returned":${JSON.stringify(returned)}}`
  await record(ctx, { type: `payment_run.${verb}`, subject: { type: 'payment_run', id }, revision, data, ...(previous && { previous }) })
  return { revision, json }
}

export async function present(ctx: Context, id: string): Promise<Revised> {
  const found = await findRun(ctx, { by: 'id', id })
  if (!found) throw new Error(`payment run ${id} is missing within its own transaction`)
  return { revision: found.revision, json: found.json }
}

function requireNotIssued({ status }: PaymentRun): void {
  if (status === 'issued')
    throw conflict('run_is_issued', 'This payment run is issued, so nothing of it changes any more. A payment that came back can be returned.')
}

type Chosen = { due: Due; bill: Document & { bill_date: string | null } }

/** Those of the bills that are still as they were found once they are locked. */
async function chooseBills(ctx: Context, wanted: readonly Due[], currency_id: string): Promise<Chosen[]> {
  const ids = wanted.map(({ bill_id }) => bill_id)
  const locked = new Map((await lockBills(ctx, ids)).map((bill) => [bill.id, bill as Chosen['bill'] & { partner_carrier_id: string | null }]))
  const [taken, unapproved] = [await listTaken(ctx, ids), await listUnapproved(ctx, [...locked.keys()])]
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
    return [{ due, bill }]
  })
}

type Grouped = { id: string; partner_carrier_id: string; payee_id: string; method: Destination['method']; amount: number; items: Item[] }

function groupByCarrier(
  chosen: readonly Chosen[],
  destinations: ReadonlyMap<string, Destination>,
  payOn: string,
): { payments: Grouped[]; left_out: LeftOut[] } {
  const left_out: LeftOut[] = []
  const payments = [...Map.groupBy(chosen, ({ due }) => due.partner_carrier_id)].flatMap(([partner_carrier_id, bills]): Grouped[] => {
    const leaveOut = (reason: LeftOut['reason']) => {
      left_out.push({ partner_carrier_id, reason, bill_count: bills.length })
      return []
    }
    const destination = destinations.get(partner_carrier_id)
    if (!destination) return leaveOut('no_payee')
    if (destination.is_held) return leaveOut('payee_change_waiting')
    const id = newId()
    const items = bills.map(({ due, bill }) => {
      const terms = [
        { days: due.discount_days, percent: due.discount_percent },
        { days: destination.quick_pay_days, percent: destination.quick_pay_percent },
      ]
      const discount_amount = discountOf({ ...bill, date: bill.bill_date }, payOn, terms)
      return { bill_id: bill.id, payment_id: id, amount: bill.amount_due - discount_amount, discount_amount }
    })
    const amount = sum(
      items.map(({ amount }) => amount),
      'amount',
    )
    return amount > 0 ? [{ id, partner_carrier_id, payee_id: destination.payee_id, method: destination.method, amount, items }] : leaveOut('nothing_to_pay')
  })
  return { payments, left_out }
}

function nothingDue(left_out: readonly LeftOut[]) {
  const why: Record<LeftOut['reason'], string> = {
    no_payee: 'have no payee',
    payee_change_waiting: 'have a payee whose change waits for a second person',
    nothing_to_pay: 'owe as much as they are owed',
    not_approved: 'have bills that are not approved',
  }
  const counts = Map.groupBy(left_out, ({ reason }) => reason)
  const parts = [...counts].map(([reason, list]) => `${list.length} carriers ${why[reason]}`)
  return conflict('nothing_due', `Nothing is due that could be paid${parts.length > 0 ? `: ${parts.join(', ')}` : ''}. Choose a later day, or other carriers.`)
}
