import { type Context, together, transaction } from '../../context.ts'
import type { Reference } from '../../core/ids.ts'
import { conflict, notFound } from '../../core/refusal.ts'
import { type Expected, type Revised, requireExpected } from '../../core/revisions.ts'
import { statusOf, touchStatement } from '../consolidated-bills/touch.ts'
import { takeNumber } from '../counters.ts'
import type { Edited } from '../edits.ts'
import type { Status } from '../lifecycle.ts'
import { daysOf } from '../pay-terms/actions.ts'
import { blankBill } from './blank.ts'
import { recordBills, recordOf } from './history.ts'
import { type NewLine, priced, withSums } from './line-model.ts'
import { insertLines } from './line-store.ts'
import { type Bill, type BillEdit, edit } from './model.ts'
import { deleteBill, findBill, insertBill, type Locked, lockBill, saveBill } from './store.ts'

export type NewBill = BillEdit & { external_id?: string | null; items?: NewLine[] }
export type Updated = Revised & { ignored: string[] }

/** A new bill is a draft, with its lines if it comes with some. */
export function createBill(ctx: Context, { external_id = null, items = [], ...sent }: NewBill): Promise<Updated & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const { input, ignored } = forADraft(sent, items.length > 0)
    const blank = blankBill(ctx, external_id)
    const edited = await decide(ctx, { bill: blank, lines: 0, payTermDays: null }, { bill_date: blank.bill_date, ...input })
    const lines = items.map(priced)
    const bill = lines.length > 0 ? withSums(edited.next, lines) : edited.next
    const [, , , made] = await together(
      insertBill(ctx, bill),
      insertLines(ctx, bill.id, lines),
      recordOf(ctx, [{ type: 'bill.created', id: bill.id }]),
      present(ctx, bill.id),
    )
    return { id: bill.id, ...made, ignored: [...ignored, ...edited.ignored] }
  })
}

export function updateBill(ctx: Context, reference: Reference, input: BillEdit, expected: Expected): Promise<Updated> {
  return transaction(ctx, async (ctx) => {
    const locked = await lock(ctx, reference, expected)
    const edited = await decide(ctx, locked, input)
    return { ...(await applyEdit(ctx, locked.bill, edited, input.reason, { withCurrency: false })), ignored: edited.ignored }
  })
}

export type Named = 'save' | 'send' | 'pay' | 'reopen'
export const leadsTo: Record<Named, Status> = { save: 'saved', send: 'sent', pay: 'paid', reopen: 'edited' }
export type Circumstances = { sent_at?: string; paid_at?: string; reason?: string }

/** The named actions: the same moves, said plainly. */
export function advanceBill(ctx: Context, reference: Reference, action: Named, how: Circumstances, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const locked = await lock(ctx, reference, expected)
    return applyEdit(ctx, locked.bill, await decide(ctx, locked, { ...how, status_id: leadsTo[action] }), how.reason)
  })
}

export function removeBill(ctx: Context, reference: Reference, expected: Expected): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { bill } = await lock(ctx, reference, expected)
    if (bill.status_id !== 'draft') throw conflict('not_a_draft', `Only drafts can be deleted, and this bill is ${bill.status_id}.`)
    await together(recordOf(ctx, [{ type: 'bill.deleted', id: bill.id }]), deleteBill(ctx, bill.id))
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
async function decide(ctx: Context, { bill, lines, ...known }: Locked, input: BillEdit): Promise<Edited<Bill>> {
  const stays = input.pay_term_id === undefined || input.pay_term_id === bill.pay_term_id
  const payTermDays = stays ? known.payTermDays : await daysOf(ctx, input.pay_term_id as string | null)
  return edit(bill, input, { hasLines: lines > 0, now: new Date(), payTermDays })
}

/** Writes what the rule decided, and answers with the bill. What a statement shows changes with it, and only then is the bill's own answer known. */
async function applyEdit(
  ctx: Context,
  before: Bill,
  { next, previous, moved, contentChanged }: Edited<Bill>,
  reason: string | undefined,
  shape?: { withCurrency: boolean },
): Promise<Revised> {
  const answer = () => present(ctx, before.id, shape)
  if (Object.keys(previous).length === 0) return answer()
  if (before.consolidated_bill_id && moved) await requireStatementAllows(ctx, before.consolidated_bill_id, before, next)
  const number = before.number === null && next.status_id !== 'draft' ? await takeNumber(ctx, 'bill') : null
  const told = { before, to: next.status_id, previous: { ...previous, ...(number !== null && { number: null }) }, reason }
  if (!before.consolidated_bill_id) return (await together(saveBill(ctx, next, number), recordBills(ctx, [told]), answer()))[2]
  await together(saveBill(ctx, next, number), recordBills(ctx, [told]))
  await touchStatement(ctx, [before, next], { contentChanged })
  return answer()
}

/** A statement speaks for its bills: what it has settled is undone through it alone. */
export async function requireStatementAllows(ctx: Context, statement: string, before: Bill, next: Bill): Promise<void> {
  if (next.status_id === 'draft') throw conflict('on_a_statement', 'The bill is on a statement. Take it off before it becomes a draft again.')
  if (before.status_id === 'paid' && (await statusOf(ctx, statement)) === 'paid') {
    throw conflict('statement_is_paid', 'The bill was paid with its statement. Reopen the statement first.')
  }
}

/** A bill begins as a draft, so what speaks of a later state is not taken, nor a sum beside the lines it is the sum of. */
function forADraft({ status_id, sent_at, paid_at, reason, ...input }: BillEdit, hasLines: boolean): { input: BillEdit; ignored: string[] } {
  const later = { status_id: status_id === 'draft' ? undefined : status_id, sent_at: sent_at ?? undefined, paid_at: paid_at ?? undefined, reason }
  const sum = hasLines ? { sub_total_amount: input.sub_total_amount } : {}
  const ignored = Object.entries({ ...later, ...sum }).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  return { input: hasLines ? { ...input, sub_total_amount: undefined } : input, ignored }
}
