import { type Context, transaction } from '../../context.ts'
import { newId, type Reference } from '../../core/ids.ts'
import { conflict, invalid, notFound } from '../../core/refusal.ts'
import { type Expected, type Revised, requireExpected } from '../../core/revisions.ts'
import { record } from '../../events/record.ts'
import { moveLocked, type Named, payTermDaysOf, recordChange, takeStatementNumber } from '../bills/actions.ts'
import type { Bill } from '../bills/model.ts'
import { assignStatement, findUnsettled, lockBills, lockBillsOf, requireGatherable } from '../bills/on-statements.ts'
import { type Status, touch } from '../lifecycle.ts'
import { applied, type ConsolidatedBill, type ConsolidatedBillEdit, type Edited, edit, type NewConsolidatedBill } from './model.ts'
import {
  deleteConsolidatedBill,
  findConsolidatedBill,
  insertConsolidatedBill,
  lockConsolidatedBill,
  readConsolidatedBill,
  saveConsolidatedBill,
} from './store.ts'
import { requireExactSums } from './touch.ts'

/** From a list of bills, or from what a payee is owed for a period. */
export function createConsolidatedBill(ctx: Context, input: NewConsolidatedBill): Promise<Revised & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const ids = input.bill_ids ?? (await unsettled(ctx, input))
    const bills = (await lockBills(ctx, ids)).map(({ bill }) => bill)
    const statement = blank(ctx, input, bills[0] as Bill)
    requireGatherable(bills, statement)
    await payTermDaysOf(ctx, statement.pay_term_id)
    await insertConsolidatedBill(ctx, statement)
    await gather(ctx, statement.id, bills)
    const created = await present(ctx, statement.id)
    await announce(ctx, 'consolidated_bill.created', statement.id)
    return { id: statement.id, ...created }
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

const leadsTo: Record<Named, Status> = { save: 'saved', send: 'sent', pay: 'paid', reopen: 'edited' }

/** What happens to the statement happens to its bills, in the same transaction. */
export function advanceConsolidatedBill(
  ctx: Context,
  reference: Reference,
  action: Named,
  { at, reason }: { at?: string; reason?: string },
  expected: Expected,
): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    const input = { status_id: leadsTo[action], ...(reason !== undefined && { reason }), ...(at && { sent_at: at, paid_at: at }) }
    await applyEdit(ctx, current, await decide(ctx, current, input), reason)
    return present(ctx, current.id)
  })
}

export function addBills(ctx: Context, reference: Reference, ids: readonly string[], expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    const touched = { ...current, ...touch(current, 'statement') }
    const bills = (await lockBills(ctx, ids)).map(({ bill }) => bill)
    requireGatherable(bills, current)
    const news = bills.filter(({ consolidated_bill_id }) => consolidated_bill_id === null)
    if (news.length === 0) return present(ctx, current.id)
    await gather(ctx, current.id, news)
    await saveConsolidatedBill(ctx, touched, null)
    await announce(ctx, 'consolidated_bill.updated', current.id, { bill_ids: current.bill_ids })
    return present(ctx, current.id)
  })
}

export function removeBillFrom(ctx: Context, reference: Reference, bill: string, expected: Expected): Promise<Revised> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    const touched = { ...current, ...touch(current, 'statement') }
    if (!current.bill_ids.includes(bill.toLowerCase())) throw notFound('bill on this statement', bill)
    if (current.status_id !== 'draft' && current.bill_count === 1)
      throw conflict('last_bill', 'This is the last bill of a statement that is no draft. Add another first, or delete the statement while it is a draft.')
    const [taken] = await lockBills(ctx, [bill])
    await release(ctx, [taken?.bill as Bill])
    await saveConsolidatedBill(ctx, touched, null)
    await announce(ctx, 'consolidated_bill.updated', current.id, { bill_ids: current.bill_ids })
    return present(ctx, current.id)
  })
}

/** A draft goes; its bills stay, free for another statement. */
export function removeConsolidatedBill(ctx: Context, reference: Reference, expected: Expected): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    if (current.status_id !== 'draft') throw conflict('not_a_draft', `Only drafts can be deleted, and this statement is ${current.status_id}.`)
    await release(
      ctx,
      (await lockBillsOf(ctx, current.id)).map(({ bill }) => bill),
    )
    await deleteConsolidatedBill(ctx, current.id)
    await record(ctx, {
      type: 'consolidated_bill.deleted',
      subject: { type: 'consolidated_bill', id: current.id },
      revision: current.revision,
      data: JSON.stringify(current),
    })
  })
}

async function unsettled(
  ctx: Context,
  { partner_carrier_id, pay_period_start = null, pay_period_end = null, currency_id }: NewConsolidatedBill,
): Promise<string[]> {
  if (!partner_carrier_id) throw invalid('bill_ids', 'required', 'Name the bills with "bill_ids", or a payee with "partner_carrier_id" and a period.')
  const ids = await findUnsettled(ctx, { payee: partner_carrier_id, from: pay_period_start, to: pay_period_end, currency_id: currency_id?.toLowerCase() })
  if (ids.length === 0) throw conflict('nothing_to_gather', 'This payee has no saved, sent or edited bills in that period that are not on a statement yet.')
  return ids
}

async function decide(ctx: Context, current: ConsolidatedBill, input: ConsolidatedBillEdit): Promise<Edited> {
  const days = await payTermDaysOf(ctx, input.pay_term_id === undefined ? current.pay_term_id : input.pay_term_id)
  return edit(current, input, { now: new Date(), days })
}

async function applyEdit(ctx: Context, before: ConsolidatedBill, { next, previous, moved }: Edited, reason: string | undefined): Promise<void> {
  if (Object.keys(previous).length === 0) return
  await saveConsolidatedBill(ctx, next, before.number === null && next.status_id !== 'draft' ? await takeStatementNumber(ctx) : null)
  if (moved) await moveBills(ctx, before, next, reason)
  await announce(ctx, moved ? 'consolidated_bill.status_updated' : 'consolidated_bill.updated', before.id, previous)
  const named = { draft: null, saved: 'saved', sent: 'sent', paid: 'paid', edited: before.status_id === 'paid' ? 'reopened' : 'edited' }[next.status_id]
  if (moved && named) await announce(ctx, `consolidated_bill.${named}`, before.id, previous)
}

async function moveBills(
  ctx: Context,
  before: ConsolidatedBill,
  { status_id, sent_at, paid_at, id }: ConsolidatedBill,
  reason: string | undefined,
): Promise<void> {
  if (status_id === 'draft' || status_id === 'saved' || (status_id === 'edited' && before.status_id !== 'paid')) return
  for (const locked of await lockBillsOf(ctx, id)) {
    const { status_id: stands } = locked.bill
    if (status_id === 'sent' && (stands === 'saved' || stands === 'edited')) await moveLocked(ctx, locked, { status_id, sent_at })
    if (status_id === 'paid' && stands !== 'paid') await moveLocked(ctx, locked, { status_id, paid_at })
    if (status_id === 'edited' && stands === 'paid') await moveLocked(ctx, locked, { status_id, reason: reason ?? '' })
  }
}

async function gather(ctx: Context, statement: string, bills: readonly Bill[]): Promise<void> {
  await assignStatement(
    ctx,
    bills.map(({ id }) => id),
    statement,
  )
  await requireExactSums(ctx, statement)
  for (const bill of bills) await recordChange(ctx, bill, { consolidated_bill_id: null }, false)
}

async function release(ctx: Context, bills: readonly Bill[]): Promise<void> {
  await assignStatement(
    ctx,
    bills.map(({ id }) => id),
    null,
  )
  for (const bill of bills) await recordChange(ctx, bill, { consolidated_bill_id: bill.consolidated_bill_id }, false)
}

async function announce(ctx: Context, type: `consolidated_bill.${string}`, id: string, previous?: object): Promise<void> {
  const now = await readConsolidatedBill(ctx, id)
  await record(ctx, {
    type,
    subject: { type: 'consolidated_bill', id },
    revision: now.revision,
    data: JSON.stringify(now),
    ...(previous && { previous: previous as Record<string, unknown> }),
  })
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

/** The payee, the currency, the addresses and the term are those of the bills, where nothing else is said. */
function blank(ctx: Context, input: NewConsolidatedBill, first: Bill): ConsolidatedBill {
  const now = new Date().toISOString()
  const nothing = {
    driver_id: null,
    pay_period_start: null,
    pay_period_end: null,
    due_date: null,
    reference_number: null,
    notes: null,
    qb_external_id: null,
    qb_error_msg: null,
    qb_exported_at: null,
    sent_at: null,
    paid_at: null,
    number: null,
    bill_to_company_name: null,
  }
  const inherited = {
    bill_to: first.bill_to,
    remit_to: first.remit_to,
    pay_term_id: first.pay_term_id,
    send_to_email: first.send_to_email,
    cc_to_email: first.cc_to_email,
    partner_carrier_id: first.partner_carrier_id,
    currency_id: first.currency_id ?? '',
  }
  const sums = { bill_ids: [], bill_count: 0, sub_total_amount: 0, tax_amount: 0, total_amount: 0 }
  const made = {
    ...nothing,
    ...inherited,
    ...sums,
    id: newId(),
    full_id: newId(),
    org_id: ctx.org,
    external_id: input.external_id ?? null,
    consolidated_bill_type_id: 'carrier_statement' as const,
    status_id: 'draft' as const,
    bill_date: now,
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: ctx.actor.id,
    available_actions: [],
  }
  return { ...made, ...applied({ bill_to: null, remit_to: null }, input) }
}
