import { requireCurrencies } from '../../books/currencies/known.ts'
import { normalDate } from '../../books/documents/model/fields/normal.ts'
import { draftPayments, plannedFor, removeDrafts, reviseDrafts } from '../../books/payments/runs.ts'
import { actorId } from '../../platform/access/acting/acting.ts'
import { type Context, together, transaction } from '../../platform/context.ts'
import { conflict, notFound } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { newId, type Reference, sentAs } from '../../platform/core/values/ids.ts'
import { record } from '../../platform/events/record.ts'
import { destinationsOf } from '../payees/recorded/destinations.ts'
import { requireSecondPerson } from '../payees/recorded/second-person.ts'
import { chooseBills, groupByCarrier, nothingDue } from './choosing.ts'
import { type LeftOutBills, mostBills, type NewPaymentRun, type PaymentRun } from './model.ts'
import { amountOf, type Item, type SetOff, setOff } from './rules.ts'
import { deleteSetOff, insertSetOffs, listSetOffs, lockOwing } from './set-off-store.ts'
import {
  deleteAll,
  deleteItem,
  deleteRun,
  deleteRunPayments,
  findNotChosen,
  findRun,
  findToday,
  insertParts,
  insertRun,
  listCarrierNames,
  listDue,
  listItems,
  listNotApproved,
  listRunPayments,
  lockRun,
  saveApproval,
  saveDraft,
  saveItems,
} from './store.ts'

/** Chooses what is due, and makes a draft of a payment for each carrier. Payees are locked before bills; another run waits for both. */
export function createRun(ctx: Context, input: NewPaymentRun): Promise<WireRecord & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const currency_id = input.currency_id.toLowerCase()
    await requireCurrencies(ctx, [currency_id], 'currency_id')
    const pay_on = input.pay_on ?? (await findToday(ctx))
    const partner_carrier_ids = input.partner_carrier_ids ?? null
    const asked = { until: input.due_until, currency_id, partner_carrier_ids }
    const [due, notApproved] = await together(listDue(ctx, asked), listNotApproved(ctx, asked))
    const wanted = due.slice(0, mostBills)
    const destinations = await destinationsOf(ctx, [
      ...new Set(wanted.map(({ partner_carrier_id }) => partner_carrier_id)),
    ])
    const chosen = await chooseBills(ctx, wanted, currency_id)
    const set_off_credits = input.set_off_credits ?? true
    const owing = set_off_credits
      ? await lockOwing(ctx, currency_id, [...new Set(chosen.map(({ due }) => due.partner_carrier_id))])
      : []
    const { payments, ...grouped } = groupByCarrier(chosen, destinations, owing, pay_on)
    const left_out = [
      ...grouped.left_out,
      ...notApproved.map((one): LeftOutBills => ({ ...one, reason: 'not_approved' })),
    ]
    if (payments.length === 0) throw await nothingToPay(ctx, asked, left_out)
    const id = newId()
    const created_by = await actorId(ctx)
    const { due_until, external_id = null } = input
    const has_more = due.length > mostBills
    await insertRun(ctx, {
      id,
      due_until,
      pay_on,
      currency_id,
      created_by,
      has_more,
      external_id,
      partner_carrier_ids,
      set_off_credits,
      left_out,
    })
    const paid_at = normalDate(pay_on, 'pay_on') as string
    const drafts = payments.map(({ items, method, partner_carrier_id, ...payment }) => ({
      ...{
        id: payment.id,
        payment_run_id: id,
        partner_carrier_id,
        currency_id,
        amount: payment.amount,
        method,
        reference_number: null,
        paid_at,
        created_by,
      },
      allocations: plannedFor(items),
    }))
    await draftPayments(ctx, drafts)
    await insertParts(
      ctx,
      id,
      payments,
      payments.flatMap(({ items }) => items),
    )
    await insertSetOffs(
      ctx,
      id,
      payments.flatMap(({ set_offs }) => set_offs),
    )
    return { id, ...(await recordRun(ctx, 'created', id)) }
  })
}

async function nothingToPay(
  ctx: Context,
  asked: Parameters<typeof findNotChosen>[1],
  left_out: readonly LeftOutBills[],
) {
  const carriers = left_out.map(({ partner_carrier_id }) => partner_carrier_id)
  const [others, names] = await together(findNotChosen(ctx, asked), listCarrierNames(ctx, carriers))
  return nothingDue(left_out, others, names)
}

/** Takes a bill out of a run that is not issued. A run that was approved is a draft again. */
export function takeOut(
  ctx: Context,
  reference: Reference,
  bill: string,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return changeParts(ctx, reference, expected, async (ctx, run, { items, set_offs }) => {
    const item = items.find(({ bill_id }) => bill_id === bill.toLowerCase())
    if (!item) throw notFound('bill in this payment run', bill)
    const { payment_id } = item
    await deleteItem(ctx, run.id, item.bill_id)
    const rest = items.filter((other) => other.payment_id === payment_id && other !== item)
    if (rest.length > 0) return replan(ctx, run, payment_id, rest, set_offs)
    await deleteRunPayments(ctx, [payment_id])
    await removeDrafts(ctx, [payment_id])
  })
}

/** Takes a credit, or what is left of an earlier payment, out of a run that is not issued: its carrier is paid so much more. */
export function takeOutSetOff(
  ctx: Context,
  reference: Reference,
  id: string,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return changeParts(ctx, reference, expected, async (ctx, run, { items, set_offs }) => {
    const out = set_offs.find((one) => one.id === id.toLowerCase())
    if (!out) throw notFound('set-off in this payment run', id)
    await deleteSetOff(ctx, out.id)
    const ofPayment = items.filter(({ payment_id }) => payment_id === out.payment_id)
    const others = set_offs.filter((one) => one !== out)
    await replan(ctx, run, out.payment_id, ofPayment, others)
  })
}

/** A second person lets a run be issued. */
export function approveRun(ctx: Context, reference: Reference, expected: ExpectedRevision): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const run = await lockExpected(ctx, reference, expected)
    if (run.status === 'approved') return readBack(ctx, run.id)
    requireNotIssued(run)
    if (run.payment_count === 0)
      throw conflict('run_is_empty', 'Every bill was taken out of this payment run. Delete it.')
    await saveApproval(ctx, run.id, await requireSecondPerson(ctx, run.created_by, 'A payment run'))
    return recordRun(ctx, 'approved', run.id, { previous: { status: run.status } })
  })
}

/** Its drafts go with it; the bills can be chosen again. */
export function removeRun(ctx: Context, reference: Reference, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const run = await lockExpected(ctx, reference, expected)
    requireNotIssued(run)
    const payments = await listRunPayments(ctx, run.id)
    const { revision, json: data } = await readBack(ctx, run.id)
    await deleteAll(ctx, run.id)
    await removeDrafts(
      ctx,
      payments.map(({ payment_id }) => payment_id),
    )
    await record(ctx, { type: 'payment_run.deleted', subject: { type: 'payment_run', id: run.id }, revision, data })
    await deleteRun(ctx, run.id)
  })
}

type Parts = { items: Item[]; set_offs: SetOff[] }

function changeParts(
  ctx: Context,
  reference: Reference,
  expected: ExpectedRevision,
  change: (ctx: Context, run: PaymentRun, parts: Parts) => Promise<void>,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const run = await lockExpected(ctx, reference, expected)
    requireNotIssued(run)
    const [items, set_offs] = await together(listItems(ctx, run.id), listSetOffs(ctx, run.id))
    await change(ctx, run, { items, set_offs })
    await saveDraft(ctx, [run.id])
    const { status, bill_count, total_amount, set_off_amount } = run
    return recordRun(ctx, 'updated', run.id, { previous: { status, bill_count, total_amount, set_off_amount } })
  })
}

/** What a payment pays of the bills that it has now, less what is set off. */
async function replan(
  ctx: Context,
  run: PaymentRun,
  payment: string,
  items: readonly Item[],
  setOffs: readonly SetOff[],
): Promise<void> {
  const available = amountOf(setOffs.filter(({ payment_id }) => payment_id === payment))
  const owed = amountOf(items) + amountOf(items.map(({ set_off_amount: amount }) => ({ amount })))
  if (owed <= 0)
    throw conflict(
      'has_deductions',
      'Without this bill the others of the carrier come to nothing or less. Take out the deductions first.',
    )
  if (available >= owed)
    throw conflict(
      'covered_by_credits',
      'Without this bill what is set off comes to as much as the others of the carrier. Take that out first.',
    )
  const planned = setOff(items, available)
  await saveItems(ctx, run.id, planned)
  await reviseDrafts(ctx, [{ id: payment, amount: owed - available, allocations: plannedFor(planned) }])
}

export async function lockExpected(
  ctx: Context,
  reference: Reference,
  expected: ExpectedRevision,
): Promise<PaymentRun> {
  const sent = sentAs(reference)
  const found = await findRun(ctx, reference)
  const run = found && (await lockRun(ctx, found.id))
  if (!run) throw notFound('payment run', sent)
  requireExpected(expected, run.revision)
  return run
}

type Noted = { previous?: Record<string, unknown>; returned?: object }

/** Answers the run as it is now. */
export async function recordRun(
  ctx: Context,
  verb: string,
  id: string,
  { previous, returned }: Noted = {},
): Promise<WireRecord> {
  const { revision, json } = await readBack(ctx, id)
  const data = returned === undefined ? json : `${json.slice(0, -1)},"returned":${JSON.stringify(returned)}}`
  await record(ctx, {
    type: `payment_run.${verb}`,
    subject: { type: 'payment_run', id },
    revision,
    data,
    ...(previous && { previous }),
  })
  return { revision, json }
}

export async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findRun(ctx, { by: 'id', id })
  if (!found) throw new Error(`payment run ${id} is missing within its own transaction`)
  return { revision: found.revision, json: found.json }
}

function requireNotIssued({ status }: PaymentRun): void {
  if (status === 'issued')
    throw conflict(
      'run_is_issued',
      'This payment run is issued, so nothing of it changes any more. A payment that came back can be returned.',
    )
}
