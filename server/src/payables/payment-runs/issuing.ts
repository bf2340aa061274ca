import { listUnapproved } from '../../books/approvals/judging/judging.ts'
import type { Bill } from '../../books/bills/kind.ts'
import type { Credit, NewCredit } from '../../books/credits/kind.ts'
import type { Document } from '../../books/documents/model/fields/standard-fields.ts'
import type { Kind } from '../../books/documents/model/kind/kind.ts'
import { createDocument, moveDocument } from '../../books/documents/writing/actions.ts'
import { voidDocument } from '../../books/documents/writing/voiding.ts'
import { credits } from '../../books/kinds/kinds.ts'
import { voidAny } from '../../books/payments/actions.ts'
import { allocatePayment, removeAllocation } from '../../books/payments/allocating.ts'
import { applyCredit, removeApplied } from '../../books/payments/crediting.ts'
import { paymentsHeld } from '../../books/payments/ledger/holds.ts'
import { issueDrafts, lockBills, plannedFor } from '../../books/payments/runs.ts'
import { actorId } from '../../platform/access/acting/acting.ts'
import { type Context, together, transaction } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../platform/core/schema/revisions.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { collision } from '../../platform/db/pool/away.ts'
import { accountOf } from '../accounts/actions.ts'
import { destinationsOf } from '../payees/recorded/destinations.ts'
import { lockExpected, readBack, recordRun } from './actions.ts'
import type { PaymentRun, Return } from './model.ts'
import { type Item, requireApproved, requireUnchanged, type SetOff, settledBy } from './rules.ts'
import { listAppliedBy, listSetOffs, lockLeft } from './set-off-store.ts'
import {
  listApplied,
  listItems,
  listRunPayments,
  lockRunPayment,
  type RunPaymentRow,
  saveIssued,
  saveReturn,
} from './store.ts'

/**
 * Pays all of a run or nothing of it, in one transaction: whoever is cut off in the middle has paid nothing, and who asks again for a run that is issued is
 * answered with it. Locks: the run, payees, statements, bills, credits, payments.
 */
export function issueRun(ctx: Context, reference: Reference, expected: ExpectedRevision): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const run = await lockExpected(ctx, reference, expected)
    if (run.status === 'issued') return readBack(ctx, run.id)
    if (run.status !== 'approved')
      throw conflict(
        'run_not_approved',
        'This payment run is a draft. Another person than who made it approves it first.',
      )
    const payments = await listRunPayments(ctx, run.id)
    const destinations = await lockedDestinations(ctx, payments)
    const [items, setOffs] = await together(listItems(ctx, run.id), listSetOffs(ctx, run.id))
    const bills = items.map(({ bill_id }) => bill_id)
    const documents = await lockBills(ctx, bills)
    requireUnchanged(items, new Map(documents.map((bill) => [bill.id, bill])), setOffs, await lockLeft(ctx, setOffs))
    requireApproved(await listUnapproved(ctx, bills))
    await applySetOffs(ctx, run.id, setOffs, items)
    const given = await giveDiscounts(ctx, run, payments, items, documents)
    await issueDrafts(
      ctx,
      payments.map(({ payment_id }) => payment_id),
      // Discounts and set-offs have changed what is due of their bills.
      given.size > 0 || setOffs.length > 0 ? await lockBills(ctx, bills) : documents,
    )
    const references = referencesOf(items, documents as Bill[])
    const account = (await accountOf(ctx, run.currency_id)) ?? null
    await saveIssued(
      ctx,
      run.id,
      await actorId(ctx),
      account,
      payments.map(({ payment_id, partner_carrier_id }) => ({
        ...{
          payment_id,
          credit_id: given.get(payment_id) ?? null,
          destination: destinations.get(partner_carrier_id) as never,
        },
        references: references.get(payment_id) ?? [],
      })),
    )
    return recordRun(ctx, 'issued', run.id, { previous: { status: run.status } })
  })
}

/**
 * A payment that the bank sent back: it is voided, its bills are owed again, and what was set off or given for being paid early is taken back. One that came
 * back already is answered as it is, with the code and the reason that were given first.
 */
export function returnPayment(
  ctx: Context,
  reference: Reference,
  id: string,
  { reason, code = null }: Return,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const ofRun = await lockRunPayment(ctx, id)
    const open = ofRun?.returned_at === null ? ofRun : undefined
    if (open) {
      await takeBackSetOffs(ctx, open.run_id, id)
      if (open.credit_id) await takeBackDiscount(ctx, open, open.credit_id, reason)
    }
    const returned = await voidAny(
      ctx,
      reference,
      code ? `Returned (${code}): ${reason}` : `Returned: ${reason}`,
      expected,
    )
    if (open) {
      await saveReturn(ctx, open.run_id, id, { code, reason })
      await recordRun(ctx, 'payment_returned', open.run_id, { returned: { payment_id: id, code, reason } })
    }
    return returned
  })
}

async function lockedDestinations(ctx: Context, payments: readonly RunPaymentRow[]) {
  const destinations = await destinationsOf(
    ctx,
    payments.map(({ partner_carrier_id }) => partner_carrier_id),
  )
  const held = [...destinations.values()].filter(({ is_held }) => is_held)
  if (held.length > 0) throw paymentsHeld(held.map(({ name }) => name))
  for (const { partner_carrier_id, payee_id, method } of payments) {
    const now = destinations.get(partner_carrier_id)
    // An approved change of a payee directs the drafts of runs anew, so they cannot differ for long.
    if (!now || now.payee_id !== payee_id || now.method !== method)
      throw collision('a payee of the payment run was changed meanwhile')
  }
  return destinations
}

/** What the carrier knows the bills of each payment by. */
function referencesOf(items: readonly Item[], bills: readonly Bill[]): Map<string, (string | null)[]> {
  const known = new Map(bills.map(({ id, reference_number, number }) => [id, reference_number ?? number]))
  const ofPayments = Map.groupBy(items, ({ payment_id }) => payment_id)
  return new Map(
    [...ofPayments].map(([payment, some]) => [payment, some.map(({ bill_id }) => known.get(bill_id) ?? null)]),
  )
}

/** A credit of the carrier for what it gives, applied to the bills: so each bill is paid whole, by the payment and the credit. Answers it by payment. */
async function giveDiscounts(
  ctx: Context,
  run: PaymentRun,
  payments: readonly RunPaymentRow[],
  items: readonly Item[],
  bills: readonly Document[],
) {
  const given = new Map<string, string>()
  const numbers = new Map(bills.map(({ id, number }) => [id, number]))
  for (const { payment_id, partner_carrier_id } of payments) {
    const reduced = items.filter((item) => item.payment_id === payment_id && item.discount_amount > 0)
    if (reduced.length === 0) continue
    const credit: NewCredit = {
      direction: 'out',
      partner_carrier_id,
      currency_id: run.currency_id,
      credit_date: run.pay_on,
      notes: `Given for early payment with ${run.number}.`,
      items: reduced.map(({ bill_id, discount_amount }) => ({
        ...{
          description: `Early payment of ${numbers.get(bill_id) ?? bill_id}`,
          unit_price: discount_amount,
          quantity: 1,
        },
      })) as never,
    }
    const { id } = await createDocument(ctx, credits, credit as never)
    const one: Reference = { by: 'id', id }
    await moveDocument(ctx, credits as unknown as Kind, one, 'save', {}, null)
    const allocations = plannedFor(reduced.map(({ bill_id, discount_amount: amount }) => ({ bill_id, amount })))
    await applyCredit(ctx, one, { allocations }, null, run.id)
    given.set(payment_id, id)
  }
  return given
}

async function takeBackDiscount(
  ctx: Context,
  { run_id }: { run_id: string },
  credit: Credit['id'],
  reason: string,
): Promise<void> {
  const one: Reference = { by: 'id', id: credit }
  for (const allocation of await listApplied(ctx, credit)) await removeApplied(ctx, one, allocation, null, run_id)
  await voidDocument(ctx, credits as unknown as Kind, one, `The payment came back: ${reason}`, null)
}

/** Settles bills with what carriers owe us: credits first, then what is left of earlier payments. The caller has locked all of it. */
async function applySetOffs(
  ctx: Context,
  run: string,
  setOffs: readonly SetOff[],
  items: readonly Item[],
): Promise<void> {
  const ofPayments = Map.groupBy(setOffs, ({ payment_id }) => payment_id)
  const settling = [...ofPayments].flatMap(([payment, ofOne]) =>
    settledBy(
      ofOne,
      items.filter(({ payment_id }) => payment_id === payment),
    ),
  )
  for (const { from, parts } of settling.filter(({ from }) => from.credit_id !== null))
    await applyCredit(ctx, byId(from.credit_id), { allocations: plannedFor(parts) }, null, run)
  for (const { from, parts } of settling.filter(({ from }) => from.credit_id === null))
    await allocatePayment(ctx, byId(from.from_payment_id), { allocations: plannedFor(parts) }, null, run)
}

/** A payment of the run came back: what was set off with it is owed to us again. What the run gave for early payment is among it. */
async function takeBackSetOffs(ctx: Context, run: string, payment: string): Promise<void> {
  for (const { id, from_credit_id, payment_id } of await listAppliedBy(ctx, run, payment)) {
    if (from_credit_id) await removeApplied(ctx, byId(from_credit_id), id, null, run)
    else await removeAllocation(ctx, byId(payment_id), id, null, run)
  }
}

function byId(id: string | null): Reference {
  return { by: 'id', id: id as string }
}
