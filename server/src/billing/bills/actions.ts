import { type Context, transaction } from '../../context.ts'
import { newId, type Reference } from '../../core/ids.ts'
import { sum } from '../../core/money.ts'
import { conflict, notFound } from '../../core/refusal.ts'
import { type Expected, type Revised, requireExpected } from '../../core/revisions.ts'
import { record } from '../../events/record.ts'
import { statusOf, touchStatement } from '../consolidated-bills/touch.ts'
import type { Status } from '../lifecycle.ts'
import { type NewLine, priced } from './line-model.ts'
import { insertLines } from './line-store.ts'
import { type Bill, type BillEdit, type Edited, edit } from './model.ts'
import { deleteBill, findBill, insertBill, type Locked, lockBill, payTermDays, readLocked, saveBill, takeNumber } from './store.ts'

export type NewBill = BillEdit & { external_id?: string | null; items?: NewLine[] }
export type Updated = Revised & { ignored: string[] }

/** A new bill is a draft, with its lines if it comes with some. */
export function createBill(ctx: Context, { external_id = null, items = [], ...input }: NewBill): Promise<Revised & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const blank = blankBill(ctx, external_id)
    const { next } = await decide(ctx, { bill: blank, lines: 0 }, { bill_date: blank.bill_date, ...input })
    const lines = items.map(priced)
    await insertBill(ctx, lines.length > 0 ? withSums(next, lines) : next)
    await insertLines(ctx, next.id, lines)
    const created = await present(ctx, next.id)
    await record(ctx, { type: 'bill.created', subject: { type: 'bill', id: next.id }, revision: created.revision, data: created.json })
    return { id: next.id, ...created }
  })
}

export function updateBill(ctx: Context, reference: Reference, input: BillEdit, expected: Expected): Promise<Updated> {
  return transaction(ctx, async (ctx) => {
    const locked = await lock(ctx, reference, expected)
    const edited = await decide(ctx, locked, input)
    await applyEdit(ctx, locked.bill, edited)
    return { ...(await present(ctx, locked.bill.id, { withCurrency: false })), ignored: edited.ignored }
  })
}

export type Named = 'save' | 'send' | 'pay' | 'reopen'
const leadsTo: Record<Named, Status> = { save: 'saved', send: 'sent', pay: 'paid', reopen: 'edited' }

/** The named actions: the same moves, said plainly. */
export function advanceBill(
  ctx: Context,
  reference: Reference,
  action: Named,
  { at, reason }: { at?: string; reason?: string },
  expected: Expected,
): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const locked = await lock(ctx, reference, expected)
    const edited = await decide(ctx, locked, { status_id: leadsTo[action], ...(reason !== undefined && { reason }), ...(at && { sent_at: at, paid_at: at }) })
    await applyEdit(ctx, locked.bill, edited)
    return present(ctx, locked.bill.id)
  })
}

/** For the statement that the bill is on, which holds both locks and answers for itself. */
export async function moveLocked(ctx: Context, locked: Locked, input: BillEdit): Promise<void> {
  await applyEdit(ctx, locked.bill, await decide(ctx, locked, input), { byStatement: true })
}

export function removeBill(ctx: Context, reference: Reference, expected: Expected): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { bill } = await lock(ctx, reference, expected)
    if (bill.status_id !== 'draft') throw conflict('not_a_draft', `Only drafts can be deleted, and this bill is ${bill.status_id}.`)
    const last = await present(ctx, bill.id)
    await deleteBill(ctx, bill.id)
    await record(ctx, { type: 'bill.deleted', subject: { type: 'bill', id: bill.id }, revision: bill.revision, data: last.json })
  })
}

export async function lock(ctx: Context, reference: Reference, expected: Expected): Promise<Locked> {
  const locked = await lockBill(ctx, reference)
  if (!locked) throw notFound('bill', reference.by === 'id' ? reference.id : reference.external_id)
  requireExpected(expected, locked.bill.revision)
  return locked
}

export async function present(ctx: Context, id: string, options?: { withCurrency: boolean }): Promise<Revised> {
  const found = await findBill(ctx, { by: 'id', id }, options)
  if (!found) throw new Error(`bill ${id} is gone within its own transaction`)
  return found
}

/** Asks the rule, with what it needs to know of the world. */
async function decide(ctx: Context, { bill, lines }: Locked, input: BillEdit): Promise<Edited> {
  const pay_term_id = input.pay_term_id === undefined ? bill.pay_term_id : input.pay_term_id
  const days = await payTermDays(ctx, pay_term_id)
  return edit(bill, input, { hasLines: lines > 0, now: new Date(), payTermDays: () => days })
}

async function applyEdit(ctx: Context, before: Bill, { next, previous, moved, contentChanged }: Edited, { byStatement = false } = {}): Promise<void> {
  if (Object.keys(previous).length === 0) return
  const statement = byStatement ? null : before.consolidated_bill_id
  if (statement && moved) await requireStatementAllows(ctx, statement, before, next)
  await saveBill(ctx, next, before.number === null && next.status_id !== 'draft' ? await takeNumber(ctx, 'bill') : null)
  if (statement && contentChanged) await touchStatement(ctx, statement)
  await recordChange(ctx, before, previous, moved)
}

/** One event for what changed, and for a move one that says so and one by its name. */
export async function recordChange(ctx: Context, before: Bill, previous: object, moved: boolean): Promise<void> {
  const { json, revision } = await present(ctx, before.id)
  const { bill } = await readLocked(ctx, before.id)
  const names = {
    draft: 'bill.unsaved',
    saved: 'bill.saved',
    sent: 'bill.sent',
    paid: 'bill.paid',
    edited: before.status_id === 'paid' ? 'bill.reopened' : 'bill.edited',
  } as const
  const besideMove = Object.keys(previous).some((field) => !['status_id', 'sent_at', 'paid_at', 'number', 'due_date', 'bill_date'].includes(field))
  const types = [...(!moved || besideMove ? (['bill.updated'] as const) : []), ...(moved ? (['bill.status_updated', names[bill.status_id]] as const) : [])]
  for (const type of types)
    await record(ctx, { type, subject: { type: 'bill', id: before.id }, revision, data: json, previous: previous as Record<string, unknown> })
}

/** A statement speaks for its bills: what it has settled is undone through it alone. */
async function requireStatementAllows(ctx: Context, statement: string, before: Bill, next: Bill): Promise<void> {
  if (next.status_id === 'draft') throw conflict('on_a_statement', 'The bill is on a statement. Take it off before it becomes a draft again.')
  if (before.status_id === 'paid' && (await statusOf(ctx, statement)) === 'paid') {
    throw conflict('statement_is_paid', 'The bill was paid with its statement. Reopen the statement first.')
  }
}

export function payTermDaysOf(ctx: Context, pay_term_id: string | null): Promise<number | null> {
  return payTermDays(ctx, pay_term_id)
}

export function takeStatementNumber(ctx: Context): Promise<number> {
  return takeNumber(ctx, 'consolidated_bill')
}

function withSums(bill: Bill, lines: readonly { total_amount: number }[]): Bill {
  const sub_total_amount = sum(
    lines.map(({ total_amount }) => total_amount),
    'sub_total_amount',
  )
  return { ...bill, sub_total_amount, total_amount: sum([sub_total_amount, bill.tax_amount], 'total_amount') }
}

function blankBill(ctx: Context, external_id: string | null): Bill {
  const now = new Date().toISOString()
  const nothing = {
    currency_id: null,
    pay_term_id: null,
    master_trip_id: null,
    partner_carrier_id: null,
    due_date: null,
    send_to_email: null,
    cc_to_email: null,
    bill_to: null,
    remit_to: null,
    notes: null,
    reference_number: null,
    qb_external_id: null,
    qb_error_msg: null,
    qb_exported_at: null,
    sent_at: null,
    paid_at: null,
    number: null,
    consolidated_bill_id: null,
  }
  const sums = { sub_total_amount: 0, tax_amount: 0, total_amount: 0 }
  return {
    ...nothing,
    ...sums,
    id: newId(),
    full_id: newId(),
    org_id: ctx.org,
    external_id,
    status_id: 'draft',
    is_tax_on: false,
    revision: 1,
    bill_date: now,
    created_at: now,
    updated_at: now,
    created_by: ctx.actor.id,
    available_actions: [],
  }
}
