import { type Context, together } from '../../platform/context.ts'
import { sum } from '../../platform/core/values/money.ts'
import { collision } from '../../platform/db/pool/away.ts'
import type { EventOf } from '../../platform/events/record.ts'
import type { Document } from '../documents/model/fields/standard-fields.ts'
import { requireOpenPeriods } from '../periods/open.ts'
import { homeRateAt } from '../rates/lookup.ts'
import { insertAllocations } from './ledger/allocations-store.ts'
import type { Allocation, Payment } from './ledger/model.ts'
import {
  deleteDrafts,
  insertDrafts,
  lockPayments,
  type Revision,
  type RunDraft,
  saveDrafts,
  saveIssuedEach,
} from './ledger/run-store.ts'
import { recordPaymentEvents } from './ledger/store.ts'
import { creditedBy, partsIn } from './payables.ts'
import { lockParts, settleEach } from './settling.ts'

export type { RunDraft }

/** What payment runs do with payments. The caller has the run locked, and keeps to the order: the run, payees, statements, documents, credits, payments. */
const payable = creditedBy('out')

/** What of these bills a payment is meant for. */
export function plannedFor(parts: readonly { bill_id: string; amount: number }[]): Allocation[] {
  return parts
    .filter(({ amount }) => amount !== 0)
    .map(({ bill_id, amount }) => ({ bill_id, invoice_id: null, credit_id: null, amount }))
}

/** Bills with the statements that they are on, locked; those that are not there are missing. */
export function lockBills(ctx: Context, ids: readonly string[]): Promise<Document[]> {
  return lockParts(
    ctx,
    payable,
    ids.map((document) => ({ document, amount: 0 })),
  )
}

export async function draftPayments(ctx: Context, drafts: readonly RunDraft[]): Promise<void> {
  if (drafts.length === 0) return
  await insertDrafts(ctx, drafts)
  await recordDated(
    ctx,
    drafts,
    drafts.map(({ id }) => ({ type: 'payment.created', id })),
  )
}

type Changed = Partial<Omit<Revision, 'id'>> & { id: string }

/** Changes drafts: their amount and what they are meant for, or how they are paid. They settle nothing yet, so a period that was closed since holds nothing up. */
export async function reviseDrafts(ctx: Context, changes: readonly Changed[]): Promise<void> {
  if (changes.length === 0) return
  const current = await lockDrafts(
    ctx,
    changes.map(({ id }) => id),
  )
  const byId = new Map(changes.map((change) => [change.id, change]))
  const next = current.map((payment) => ({ ...payment, ...byId.get(payment.id) }))
  await saveDrafts(ctx, next)
  const events = current.map((payment): EventOf => {
    const fields = Object.keys(byId.get(payment.id) as Changed).filter((name) => name !== 'id') as (keyof Payment)[]
    return {
      type: 'payment.updated',
      id: payment.id,
      previous: Object.fromEntries(fields.map((name) => [name, payment[name]])),
    }
  })
  await recordPaymentEvents(ctx, events)
}

export async function removeDrafts(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await lockDrafts(ctx, ids)
  await recordPaymentEvents(
    ctx,
    ids.map((id) => ({ type: 'payment.deleted', id })),
  )
  await deleteDrafts(ctx, ids)
}

/** Issues drafts: all that they are meant for is settled, in as many statements for a thousand bills as for one. The caller has the bills locked. */
export async function issueDrafts(ctx: Context, ids: readonly string[], documents: readonly Document[]): Promise<void> {
  const drafts = await lockDrafts(ctx, ids)
  const [first] = drafts
  if (!first) return
  // One rate for all: a run has one currency and one day.
  const value = await homeRateAt(ctx, first.currency_id, first.paid_at)
  const settled = await settleEach(
    ctx,
    payable,
    documents,
    drafts.map((draft) => ({ payer: { ...draft, ...value }, parts: partsIn(payable, draft.allocations) })),
  )
  await insertAllocations(
    ctx,
    payable.target,
    drafts.map((draft, index) => ({ ...draft, allocations: settled[index] ?? [] })),
  )
  await saveIssuedEach(
    ctx,
    drafts.map(({ id }, index) => {
      const known = (settled[index] ?? []).flatMap(({ gain_amount }) => gain_amount ?? [])
      return { ...value, id, realized_gain_amount: known.length > 0 ? sum(known, 'realized_gain_amount') : null }
    }),
  )
  await recordDated(
    ctx,
    drafts,
    drafts.map(({ id }) => ({ type: 'payment.issued', id, previous: { status: 'draft', number: null } })),
  )
}

async function lockDrafts(ctx: Context, ids: readonly string[]): Promise<Payment[]> {
  const found = await lockPayments(ctx, ids)
  if (found.length < ids.length || found.some(({ status }) => status !== 'draft'))
    throw collision('a draft of the payment run was changed meanwhile')
  return found
}

async function recordDated(
  ctx: Context,
  payments: readonly { paid_at: string }[],
  events: readonly EventOf[],
): Promise<void> {
  await together(
    recordPaymentEvents(ctx, events),
    requireOpenPeriods(
      ctx,
      payments.map(({ paid_at }) => paid_at),
    ),
  )
}
