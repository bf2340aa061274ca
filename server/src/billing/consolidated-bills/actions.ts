import { type Context, transaction } from '../../context.ts'
import type { Reference } from '../../core/ids.ts'
import { conflict, invalid, notFound, quote } from '../../core/refusal.ts'
import { type Expected, type Revised, requireExpected } from '../../core/revisions.ts'
import { record } from '../../events/record.ts'
import { type Circumstances, leadsTo, type Named } from '../bills/actions.ts'
import { applyRound } from '../bills/apply.ts'
import { recordBills } from '../bills/history.ts'
import { type Bill, type BillEdit, edit as editBill } from '../bills/model.ts'
import { assignStatement, lockBills, lockBillsOf, lockUnsettled, requireGatherable } from '../bills/on-statements.ts'
import { takeNumber } from '../counters.ts'
import { type Edited, normalDate, normalId } from '../edits.ts'
import { touch } from '../lifecycle.ts'
import { daysOf } from '../pay-terms/actions.ts'
import { blankStatement } from './blank.ts'
import { type ConsolidatedBill, type ConsolidatedBillEdit, edit, type NewConsolidatedBill } from './model.ts'
import { deleteConsolidatedBill, findConsolidatedBill, insertConsolidatedBill, isCurrency, lockConsolidatedBill, saveConsolidatedBill } from './store.ts'
import { readExact, recordStatement } from './touch.ts'

/** From a list of bills, or from what a payee is owed for a period. */
export function createConsolidatedBill(ctx: Context, input: NewConsolidatedBill): Promise<Revised & { id: string }> {
  return transaction(ctx, async (ctx) => {
    if (input.currency_id && !(await isCurrency(ctx, input.currency_id)))
      throw invalid('currency_id', 'unknown_currency', `${quote(input.currency_id)} is not the code of an ISO 4217 currency, such as "usd".`)
    const bills = input.bill_ids ? await lockBills(ctx, input.bill_ids) : await unsettled(ctx, input)
    const statement = blankStatement(ctx, input, bills[0]?.bill as Bill)
    requireGatherable(bills, statement)
    await daysOf(ctx, statement.pay_term_id)
    await insertConsolidatedBill(ctx, statement)
    await assign(ctx, bills, statement.id)
    const { id, revision, ...made } = await readExact(ctx, statement.id)
    await record(ctx, {
      type: 'consolidated_bill.created',
      subject: { type: 'consolidated_bill', id },
      revision,
      data: JSON.stringify({ id, revision, ...made }),
    })
    return { id, ...(await present(ctx, id)) }
  })
}

export function updateConsolidatedBill(
  ctx: Context,
  reference: Reference,
  input: ConsolidatedBillEdit,
  expected: Expected,
): Promise<Revised & { ignored: string[] }> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    const edited = await decide(ctx, current, input)
    await applyEdit(ctx, current, edited, input.reason)
    return { ...(await present(ctx, current.id)), ignored: edited.ignored }
  })
}

/** What happens to the statement happens to its bills, in the same transaction. */
export function advanceConsolidatedBill(ctx: Context, reference: Reference, action: Named, how: Circumstances, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    await applyEdit(ctx, current, await decide(ctx, current, { ...how, status_id: leadsTo[action] }), how.reason)
    return present(ctx, current.id)
  })
}

export function addBills(ctx: Context, reference: Reference, ids: readonly string[], expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    const bills = (await lockBills(ctx, ids)).filter(({ bill }) => bill.consolidated_bill_id !== current.id)
    if (bills.length === 0) return present(ctx, current.id)
    const touched = { ...current, ...touch(current, 'statement') }
    requireGatherable(bills, current)
    await assign(ctx, bills, current.id)
    await saveConsolidatedBill(ctx, touched, null)
    await recordStatement(ctx, current)
    return present(ctx, current.id)
  })
}

export function removeBillFrom(ctx: Context, reference: Reference, bill: string, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    if (!current.bill_ids.includes(bill.toLowerCase())) throw notFound('bill on this statement', bill)
    const touched = { ...current, ...touch(current, 'statement') }
    if (current.status_id !== 'draft' && current.bill_count === 1)
      throw conflict('last_bill', 'This is the last bill of a statement that is no draft. Add another first, or delete the statement while it is a draft.')
    await assign(ctx, await lockBills(ctx, [bill]), null)
    await saveConsolidatedBill(ctx, touched, null)
    await recordStatement(ctx, current)
    return present(ctx, current.id)
  })
}

/** A draft goes; its bills stay, free for another statement. */
export function removeConsolidatedBill(ctx: Context, reference: Reference, expected: Expected): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    if (current.status_id !== 'draft') throw conflict('not_a_draft', `Only drafts can be deleted, and this statement is ${current.status_id}.`)
    await assign(ctx, await lockBillsOf(ctx, current.id), null)
    await deleteConsolidatedBill(ctx, current.id)
    const subject = { type: 'consolidated_bill', id: current.id }
    await record(ctx, { type: 'consolidated_bill.deleted', subject, revision: current.revision, data: JSON.stringify(current) })
  })
}

type Gathered = Awaited<ReturnType<typeof lockBills>>

/** What the payee is owed for the period. A statement has one currency, so where there are several the caller has to say which. */
async function unsettled(ctx: Context, { partner_carrier_id, pay_period_start, pay_period_end, currency_id }: NewConsolidatedBill): Promise<Gathered> {
  if (!partner_carrier_id) throw invalid('bill_ids', 'required', 'Name the bills with "bill_ids", or a payee with "partner_carrier_id" and a period.')
  const bills = await lockUnsettled(ctx, {
    payee: partner_carrier_id,
    from: normalDate(pay_period_start, 'pay_period_start'),
    to: normalDate(pay_period_end, 'pay_period_end', 'end'),
    currency_id: normalId(currency_id ?? null),
  })
  if (bills.length === 0) throw conflict('nothing_to_gather', 'This payee has no saved, sent or edited bills in that period that are not on a statement yet.')
  const currencies = [...new Set(bills.map(({ bill }) => bill.currency_id as string))].sort()
  if (currencies.length > 1)
    throw invalid('currency_id', 'several_currencies', `This payee is owed in ${currencies.join(' and ')}; name one of them with "currency_id".`, currencies)
  return bills
}

async function decide(ctx: Context, current: ConsolidatedBill, input: ConsolidatedBillEdit): Promise<Edited<ConsolidatedBill>> {
  const payTermDays = await daysOf(ctx, input.pay_term_id === undefined ? current.pay_term_id : input.pay_term_id)
  return edit(current, input, { now: new Date(), payTermDays })
}

async function applyEdit(
  ctx: Context,
  before: ConsolidatedBill,
  { next, previous, moved }: Edited<ConsolidatedBill>,
  reason: string | undefined,
): Promise<void> {
  if (Object.keys(previous).length === 0) return
  await saveConsolidatedBill(ctx, next, before.number === null && next.status_id !== 'draft' ? await takeNumber(ctx, 'consolidated_bill') : null)
  if (moved) await moveBills(ctx, before, next, reason)
  await recordStatement(ctx, before, reason)
}

async function moveBills(
  ctx: Context,
  before: ConsolidatedBill,
  { status_id, sent_at, paid_at, id }: ConsolidatedBill,
  reason: string | undefined,
): Promise<void> {
  if (status_id === 'draft' || status_id === 'saved' || (status_id === 'edited' && before.status_id !== 'paid')) return
  const moves = (await lockBillsOf(ctx, id)).flatMap(({ bill, lines, payTermDays }) => {
    const move = (input: BillEdit) => ({
      before: bill,
      step: editBill(bill, input, { hasLines: lines > 0, now: new Date(), payTermDays }),
      reason: input.reason,
    })
    const { status_id: stands } = bill
    if (status_id === 'sent' && (stands === 'saved' || stands === 'edited')) return move({ status_id, sent_at })
    if (status_id === 'paid' && stands !== 'paid') return move({ status_id, paid_at })
    return status_id === 'edited' && stands === 'paid' ? move({ status_id, reason: reason ?? '' }) : []
  })
  await applyRound(ctx, moves)
}

/** Puts locked bills on the statement, or takes them off with null; either is a change of each. */
async function assign(ctx: Context, bills: Gathered, statement: string | null): Promise<void> {
  const ids = bills.map(({ bill }) => bill.id)
  await assignStatement(ctx, ids, statement)
  await recordBills(
    ctx,
    bills.map(({ bill }) => ({ before: bill, to: bill.status_id, previous: { consolidated_bill_id: bill.consolidated_bill_id } })),
  )
}

async function lock(ctx: Context, reference: Reference, expected: Expected): Promise<ConsolidatedBill> {
  const current = await lockConsolidatedBill(ctx, reference)
  if (!current) throw notFound('consolidated bill', reference.by === 'id' ? reference.id : reference.external_id)
  requireExpected(expected, current.revision)
  return current
}

async function present(ctx: Context, id: string): Promise<Revised> {
  const found = await findConsolidatedBill(ctx, { by: 'id', id })
  if (!found) throw new Error(`consolidated bill ${id} is gone within its own transaction`)
  return found
}
