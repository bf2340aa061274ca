import { actorId } from '../../platform/access/acting/acting.ts'
import { requireRight } from '../../platform/access/roles.ts'
import { requireScopesOf } from '../../platform/access/scope-refusals.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { conflict, invalid, notFound } from '../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../platform/core/schema/revisions.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { takeNumber } from '../../platform/db/counts/counters.ts'
import type { Bill, BillEdit } from '../bills/kind.ts'
import {
  deleteStatement,
  insertStatement,
  lockStatement,
  readBackStatement,
  recordCreation,
  recordStatement,
  recordVoid,
  requireCurrency,
  saveStatement,
  voidStatement,
} from '../consolidated-bills/actions.ts'
import { blankStatement } from '../consolidated-bills/blank.ts'
import {
  type ConsolidatedBill,
  type ConsolidatedBillEdit,
  edit,
  type NewConsolidatedBill,
  requireDeletable,
  requireVoidable,
} from '../consolidated-bills/model.ts'
import { edit as editBill } from '../documents/model/edit.ts'
import {
  alreadyPaid,
  lifecycleAfterChange,
  type Move,
  type MoveInput,
  moveTargets,
} from '../documents/model/fields/lifecycle.ts'
import { normalDate, normalId } from '../documents/model/fields/normal.ts'
import type { EditResult } from '../documents/model/kind/conclude.ts'
import { type PaymentMeans, paidTo } from '../documents/model/kind/paying.ts'
import { applyRound } from '../documents/writing/apply.ts'
import {
  assignParent,
  type LockedDocument,
  lockDocuments,
  lockDocumentsOf,
  readDocuments,
} from '../documents/writing/locks.ts'
import { bills } from '../kinds/kinds.ts'
import { daysOf } from '../pay-terms/actions.ts'
import { amountsLeftPaid, isRecordedFor } from '../payments/recording/recording.ts'
import { requireGatherable } from './gathering.ts'
import { lockUnsettled } from './unsettled-store.ts'

/** From a list of bills, or from what a payee is owed for a period. */
export function createConsolidatedBill(ctx: Context, input: NewConsolidatedBill): Promise<WireRecord & { id: string }> {
  return transaction(ctx, async (ctx) => {
    if (input.currency_id) await requireCurrency(ctx, input.currency_id)
    const gathered = input.bill_ids ? await lockDocuments(ctx, bills, input.bill_ids) : await unsettledBills(ctx, input)
    const statement = blankStatement(
      { org: ctx.org, createdBy: await actorId(ctx) },
      input,
      gathered[0]?.document as Bill,
    )
    requireGatherable(gathered, statement)
    await daysOf(ctx, statement.pay_term_id)
    await insertStatement(ctx, statement)
    await assignParent(ctx, bills, gathered, statement.id)
    await recordCreation(ctx, statement.id)
    return { id: statement.id, ...(await readBackStatement(ctx, statement.id)) }
  })
}

export function updateConsolidatedBill(
  ctx: Context,
  reference: Reference,
  input: ConsolidatedBillEdit,
  expected: ExpectedRevision,
): Promise<WireRecord & { ignored: string[] }> {
  return transaction(ctx, async (ctx) => {
    const current = await lockStatement(ctx, reference, expected)
    const edited = await decide(ctx, current, input)
    await applyEdit(ctx, current, edited, input.reason)
    return { ...(await readBackStatement(ctx, current.id)), ignored: edited.ignored }
  })
}

type Asked = MoveInput & PaymentMeans & { amount?: number }

/** A move of the statement moves its bills, in the same transaction. */
export function moveConsolidatedBill(
  ctx: Context,
  reference: Reference,
  move: Move,
  input: Asked,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lockStatement(ctx, reference, expected)
    const { method, reference_number, amount, ...asked } = input
    if (move === 'pay' && current.status_id === 'paid') await requireSamePayment(ctx, current, input)
    else if (amount !== undefined) await requireWhole(ctx, current, amount)
    await applyEdit(
      ctx,
      current,
      await decide(ctx, current, { ...asked, status_id: moveTargets[move] }),
      input.reason,
      { method, reference_number },
    )
    return readBackStatement(ctx, current.id)
  })
}

export function addBills(
  ctx: Context,
  reference: Reference,
  ids: readonly string[],
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lockStatement(ctx, reference, expected)
    const added = (await lockDocuments(ctx, bills, ids)).filter(
      ({ document }) => document.consolidated_bill_id !== current.id,
    )
    if (added.length === 0) return readBackStatement(ctx, current.id)
    const touched = { ...current, ...lifecycleAfterChange(current, 'statement') }
    requireGatherable(added, current)
    await assignParent(ctx, bills, added, current.id)
    await saveStatement(ctx, touched, null)
    await recordStatement(ctx, current)
    return readBackStatement(ctx, current.id)
  })
}

export function removeBillFrom(
  ctx: Context,
  reference: Reference,
  bill: string,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lockStatement(ctx, reference, expected)
    if (!current.bill_ids.includes(bill.toLowerCase())) throw notFound('bill on this statement', bill)
    const touched = { ...current, ...lifecycleAfterChange(current, 'statement') }
    if (current.status_id !== 'draft' && current.bill_count === 1)
      throw conflict(
        'last_bill',
        'This is the last bill of a statement that is no draft. Add another first, or void the statement.',
      )
    await assignParent(ctx, bills, await lockDocuments(ctx, bills, [bill]), null)
    await saveStatement(ctx, touched, null)
    await recordStatement(ctx, current)
    return readBackStatement(ctx, current.id)
  })
}

/** Takes a statement out of the books. Its number and its content stay, with the reason; its bills are free for another one. */
export function voidConsolidatedBill(
  ctx: Context,
  reference: Reference,
  reason: string,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lockStatement(ctx, reference, expected)
    requireVoidable(current)
    await voidStatement(ctx, current, reason)
    await assignParent(ctx, bills, await lockDocumentsOf(ctx, bills, current.id), null)
    await recordVoid(ctx, current)
    return readBackStatement(ctx, current.id)
  })
}

/** Deletes a draft that was never saved; its bills stay, free for another statement. */
export function removeConsolidatedBill(ctx: Context, reference: Reference, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const current = await lockStatement(ctx, reference, expected)
    requireDeletable(current)
    await assignParent(ctx, bills, await lockDocumentsOf(ctx, bills, current.id), null)
    await deleteStatement(ctx, current)
  })
}

/** What the payee is owed for the period. A statement has one currency, so where there are several the caller has to name one. */
async function unsettledBills(
  ctx: Context,
  { partner_carrier_id, pay_period_start, pay_period_end, currency_id }: NewConsolidatedBill,
): Promise<LockedDocument<Bill>[]> {
  if (!partner_carrier_id)
    throw invalid(
      'bill_ids',
      'required',
      'Name the bills with "bill_ids", or a payee with "partner_carrier_id" and a period.',
    )
  const ids = await lockUnsettled(ctx, {
    payee: partner_carrier_id,
    from: normalDate(pay_period_start, 'pay_period_start'),
    to: normalDate(pay_period_end, 'pay_period_end', 'end'),
    currency_id: normalId(currency_id ?? null),
  })
  if (ids.length === 0)
    throw conflict(
      'nothing_to_gather',
      'This payee has no saved, sent or edited bills in that period that are not on a statement yet.',
    )
  const found = await readDocuments(ctx, bills, ids)
  const currencies = [...new Set(found.map(({ document }) => document.currency_id as string))].sort()
  if (currencies.length > 1)
    throw invalid(
      'currency_id',
      'several_currencies',
      `This payee is owed in ${currencies.join(' and ')}; name one of them with "currency_id".`,
      currencies,
    )
  return found
}

/** Of a statement that is paid, only the request that has paid it is taken again. */
async function requireSamePayment(
  ctx: Context,
  statement: ConsolidatedBill,
  { amount, method, reference_number, paid_at }: Asked,
): Promise<void> {
  const at = normalDate(paid_at, 'paid_at') ?? statement.paid_at
  const saysHow = amount !== undefined || method !== undefined || reference_number !== undefined
  if (
    at !== statement.paid_at ||
    (saysHow && !(await isRecordedFor(ctx, statement.id, { amount, method, reference_number })))
  )
    throw alreadyPaid('statement', statement)
}

/** A statement is paid whole: an amount can only say what that comes to. */
async function requireWhole(ctx: Context, { id }: ConsolidatedBill, amount: number): Promise<void> {
  const due = (await lockDocumentsOf(ctx, bills, id)).reduce(
    (sum, { document }) => sum + BigInt(document.amount_due),
    0n,
  )
  if (BigInt(amount) === due) return
  throw invalid(
    'amount',
    'not_the_whole',
    `A statement is paid whole: ${due} of this one is due, and "amount" is ${amount}. To pay a part of it, pay its bills instead.`,
  )
}

async function decide(
  ctx: Context,
  current: ConsolidatedBill,
  input: ConsolidatedBillEdit,
): Promise<EditResult<ConsolidatedBill>> {
  const payTermDays = await daysOf(ctx, input.pay_term_id === undefined ? current.pay_term_id : input.pay_term_id)
  return edit(current, input, { now: new Date(), payTermDays })
}

async function applyEdit(
  ctx: Context,
  before: ConsolidatedBill,
  { next, previous, moved }: EditResult<ConsolidatedBill>,
  reason: string | undefined,
  paid: PaymentMeans = {},
): Promise<void> {
  if (Object.keys(previous).length === 0) return
  if ((before.status_id === 'paid') !== (next.status_id === 'paid') || before.paid_at !== next.paid_at)
    requireRight(ctx, 'pay')
  await saveStatement(
    ctx,
    next,
    before.number === null && next.status_id !== 'draft' ? await takeNumber(ctx, 'consolidated_bill') : null,
  )
  if (moved) await moveBills(ctx, before, next, reason, paid)
  await recordStatement(ctx, before, reason)
}

async function moveBills(
  ctx: Context,
  before: ConsolidatedBill,
  statement: ConsolidatedBill,
  reason: string | undefined,
  paid: PaymentMeans,
): Promise<void> {
  const { status_id } = statement
  if (status_id === 'draft' || status_id === 'saved' || (status_id === 'edited' && before.status_id !== 'paid')) return
  if (statement.bill_count > 0) requireScopesOf(ctx, ['bills'])
  if (status_id === 'edited') return reopenBills(ctx, statement, reason)
  const steps = (await lockDocumentsOf(ctx, bills, statement.id)).flatMap(
    ({ document, lines, payTermDays, lineTax }) => {
      const input = moveOf(document, statement)
      if (!input) return []
      return {
        before: document,
        edited: editBill(bills, document, input, { hasLines: lines > 0, now: new Date(), payTermDays, lineTax }),
        reason: undefined,
      }
    },
  )
  const { id, paid_at } = statement
  await applyRound(ctx, bills, steps, { paid: { ...paid, ...(paid_at && { statement: { id, paid_at } }) } })
}

/** What was paid with the statement, or recorded for its bills alone, is taken back. What else has paid a bill stays: it is taken back where it was made. */
async function reopenBills(ctx: Context, { id }: ConsolidatedBill, reason = ''): Promise<void> {
  const paid = (await lockDocumentsOf(ctx, bills, id))
    .map(({ document }) => document)
    .filter(({ status_id }) => status_id === 'paid')
  const left = await amountsLeftPaid(
    ctx,
    'bill_id',
    paid.map((bill) => bill.id),
    id,
  )
  const steps = paid.flatMap((before, index) => {
    const amount = left[index] ?? null
    if (amount === null) return []
    return { before, edited: paidTo(before, amount, { paid_at: before.paid_at as string, unpaid: 'edited' }), reason }
  })
  await applyRound(ctx, bills, steps, { paid: { reopenedWith: id } })
}

/** The move that a bill makes with its statement, if it makes one. */
function moveOf(bill: Bill, { status_id, sent_at, paid_at }: ConsolidatedBill): BillEdit | null {
  if (status_id === 'sent' && (bill.status_id === 'saved' || bill.status_id === 'edited')) return { status_id, sent_at }
  return status_id === 'paid' && bill.status_id !== 'paid' ? { status_id, paid_at } : null
}
