import { type Context, transaction } from '../../platform/context.ts'
import { conflict, invalid, notFound } from '../../platform/core/refusal.ts'
import type { ExpectedRevision, WireRecord } from '../../platform/core/schema/revisions.ts'
import { toWire } from '../../platform/core/values/dates.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { sum } from '../../platform/core/values/money.ts'
import { collision } from '../../platform/db/pool/away.ts'
import type { Credit } from '../credits/kind.ts'
import { requireNoWriteOff } from '../credits/write-offs.ts'
import type { Document } from '../documents/model/fields/standard-fields.ts'
import type { Kind } from '../documents/model/kind/kind.ts'
import { paidTo } from '../documents/model/kind/paying.ts'
import { readDocument } from '../documents/store/reading.ts'
import { readBack } from '../documents/writing/actions.ts'
import { applyPaid } from '../documents/writing/apply.ts'
import { lockExpected } from '../documents/writing/locks.ts'
import { credits } from '../kinds/kinds.ts'
import { requireOpenPeriods } from '../periods/open.ts'
import {
  type AppliedPart,
  endAllocation,
  findApplied,
  insertAllocations,
  listUnpaidStates,
} from './ledger/allocations-store.ts'
import type { AllocationBody } from './ledger/model.ts'
import { type Part, requireFunds, requireNotSetOff } from './ledger/rules.ts'
import { creditedBy, type PayableKind, partsIn } from './payables.ts'
import { lockAllocated, lockOldest, lockParts, settleParts, unsettle } from './settling.ts'

const kind = credits as unknown as Kind

/**
 * Settles bills or invoices with what is left of a credit. The documents are locked before the credit. `run` is the payment run that asks for it: what a run
 * has applied only that run takes back.
 */
export function applyCredit(
  ctx: Context,
  reference: Reference,
  { allocations = [], oldest_first }: AllocationBody,
  expected: ExpectedRevision,
  run: string | null = null,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const found = (await readDocument(ctx, kind, reference)) as Credit
    const payable = creditedBy(found.direction)
    const asked = partsIn(payable, allocations)
    if (asked.length === 0 && !oldest_first)
      throw invalid(
        'allocations',
        'required',
        'Name the documents to settle in "allocations", or send "oldest_first": true.',
      )
    const { documents, parts } = await lockAsked(ctx, payable, found, asked, oldest_first)
    const { document } = await lockExpected(ctx, kind, { by: 'id', id: found.id }, expected)
    const credit = document as Credit
    requireApplicable(credit)
    await requireNoWriteOff(ctx, [credit.id])
    if (oldest_first && credit.amount_due < found.amount_due) throw collision('the credit was applied meanwhile')
    requireFunds(parts, { left: credit.amount_due, used: credit.amount_paid })
    if (parts.length === 0) return readBack(ctx, kind, credit.id)
    const made = await settleParts(ctx, payable, documents, parts, payerOf(credit))
    await changeApplied(ctx, credit, amountOf(parts))
    await insertAllocations(
      ctx,
      payable.target,
      [{ ...payerOf(credit), id: credit.id, applied_by: run, allocations: made }],
      'from_credit_id',
    )
    return readBack(ctx, kind, credit.id)
  })
}

/** Takes back what a credit was applied to, unless it writes that off: then the write-off is taken back as a whole. */
export function takeBackApplied(
  ctx: Context,
  reference: Reference,
  allocation: string,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const { id } = await readDocument(ctx, kind, reference)
    await requireNoWriteOff(ctx, [id])
    return removeApplied(ctx, { by: 'id', id }, allocation, expected)
  })
}

/** The same of any credit, for what undoes the credit too. */
export function removeApplied(
  ctx: Context,
  reference: Reference,
  allocation: string,
  expected: ExpectedRevision,
  run: string | null = null,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const { id, direction } = (await readDocument(ctx, kind, reference)) as Credit
    const payable = creditedBy(direction)
    const found = await findApplied(ctx, id, allocation)
    const documents = await lockAllocated(ctx, payable, found ? [found] : [])
    const { document } = await lockExpected(ctx, kind, { by: 'id', id }, expected)
    const credit = document as Credit
    const ended: AppliedPart | undefined = await findApplied(ctx, id, allocation)
    if (!ended) throw notFound('allocation of this credit', allocation)
    requireNotSetOff(ended, run)
    await endAllocation(ctx, ended.id)
    await unsettle(ctx, payable, documents, [ended], {
      paid_at: toWire(new Date()),
      reason: `${credit.number} is not applied to it any more.`,
    })
    await changeApplied(ctx, credit, -ended.amount)
    return readBack(ctx, kind, credit.id)
  })
}

type Asked = { documents: Document[]; parts: readonly Part[] }

async function lockAsked(
  ctx: Context,
  payable: PayableKind,
  credit: Credit,
  asked: readonly Part[],
  oldestFirst: boolean | undefined,
): Promise<Asked> {
  if (oldestFirst && credit.status_id !== 'draft') return lockOldest(ctx, payable, payerOf(credit), credit.amount_due)
  return { documents: await lockParts(ctx, payable, asked), parts: asked }
}

function requireApplicable({ status_id, voided_at, total_amount }: Credit): void {
  const why =
    voided_at !== null
      ? 'is voided'
      : status_id === 'draft'
        ? 'is a draft'
        : total_amount < 0
          ? 'comes to less than nothing'
          : null
  if (why) throw conflict('not_applicable', `The credit ${why}, so it cannot be applied.`)
}

/** A credit settles documents as a payment of its own date would. */
function payerOf(credit: Credit) {
  const { direction, partner_carrier_id, customer_id, exchange_rate, home_currency_id } = credit
  return {
    direction,
    partner_carrier_id,
    customer_id,
    currency_id: credit.currency_id as string,
    paid_at: toWire(new Date()),
    exchange_rate,
    home_currency_id,
  }
}

async function changeApplied(ctx: Context, credit: Credit, amount: number): Promise<void> {
  const unpaid = (await listUnpaidStates(ctx, kind.plural, [credit.id])).get(credit.id) ?? 'saved'
  const edited = paidTo(credit as unknown as Document, credit.amount_paid + amount, {
    paid_at: toWire(new Date()),
    unpaid,
  })
  await applyPaid(ctx, kind, [
    { before: credit as unknown as Document, edited, reason: edited.moved && amount < 0 ? 'Taken back' : undefined },
  ])
  // It settles documents today, whenever it was given.
  await requireOpenPeriods(ctx, [toWire(new Date())])
}

function amountOf(parts: readonly Part[]): number {
  return sum(
    parts.map(({ amount }) => amount),
    'amount_paid',
  )
}
