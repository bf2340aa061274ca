import { requireCurrencies } from '../../books/currencies/known.ts'
import { listActorsOfUser } from '../../identity/applications/makers.ts'
import { actorId } from '../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../platform/context.ts'
import { conflict, forbidden, invalid, notFound } from '../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../platform/core/schema/revisions.ts'
import { toWire } from '../../platform/core/values/dates.ts'
import { type PlainReference, sentAs } from '../../platform/core/values/ids.ts'
import { auditInvoices } from './audit.ts'
import { isOutdated } from './audit-store.ts'
import { makeBills } from './received/bills.ts'
import { contentOf, knownManifests, readBack, sumOf } from './received/creating.ts'
import {
  type CarrierInvoice,
  type CarrierInvoiceEdit,
  type Decision,
  overchargeIn,
  requireOpen,
  requireState,
  requireWhole,
  taxIn,
} from './received/model.ts'
import {
  deleteInvoice,
  findComparison,
  isOwnEntry,
  lockInvoice,
  recordInvoices,
  type StoredInvoice,
  saveContent,
  saveDecided,
} from './received/store.ts'

export function updateInvoice(
  ctx: Context,
  reference: PlainReference,
  input: CarrierInvoiceEdit,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    requireOpen(current)
    if (input.currency_id) await requireCurrencies(ctx, [input.currency_id], 'currency_id')
    const { manifest_ids } = current
    const content = { ...contentOf({ ...current, ...input }), ...totalOf(current, input) }
    const next = { ...content, missing_fields: stillMissing(current, content, input.missing_fields), manifest_ids }
    return save(ctx, current, next, 'updated')
  })
}

/** Says which manifests the invoice is for; none takes the match back. */
export function matchInvoice(
  ctx: Context,
  reference: PlainReference,
  manifestIds: readonly string[],
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    requireOpen(current)
    const manifest_ids = await knownManifests(ctx, manifestIds)
    const { total_amount, is_total_computed, missing_fields } = current
    return save(
      ctx,
      current,
      { ...contentOf(current), total_amount, is_total_computed, missing_fields, manifest_ids },
      'matched',
    )
  })
}

export function auditInvoice(ctx: Context, reference: PlainReference, expected: ExpectedRevision): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    requireOpen(current)
    requireWhole(current)
    await auditInvoices(ctx, [current])
    return readBack(ctx, current.id)
  })
}

export function removeInvoice(ctx: Context, reference: PlainReference, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, reference, expected)
    if (current.state !== 'rejected') requireOpen(current)
    await recordInvoices(ctx, [{ type: 'carrier_invoice.deleted', id: current.id }])
    await deleteInvoice(ctx, current.id)
  })
}

/** What was computed is computed anew, unless a total is stated now; a record that is sent back as it was read states none. */
function totalOf(current: CarrierInvoice, { total_amount, lines = current.lines }: CarrierInvoiceEdit) {
  const isStated = total_amount !== undefined && total_amount !== current.total_amount
  if (isStated || !current.is_total_computed)
    return { total_amount: total_amount ?? current.total_amount, is_total_computed: false }
  return { total_amount: sumOf(lines), is_total_computed: true }
}

/** A record that is sent back as it was read says nothing new of what is missing. */
function stillMissing(
  current: CarrierInvoice,
  next: Pick<CarrierInvoice, 'invoice_number' | 'total_amount'>,
  sent: CarrierInvoiceEdit['missing_fields'],
) {
  return current.missing_fields.filter(
    (name) => next[name] === current[name] && (sent === undefined || sent.includes(name)),
  )
}

type Asked = { note?: string | null; amount?: number }

/** What a person decides about an invoice. Approving makes the bill. */
export function decideInvoice(
  ctx: Context,
  reference: PlainReference,
  decision: Decision,
  asked: Asked,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const locked = await lock(ctx, reference, expected)
    const current = followsAudit(locked, decision, asked) ? await withAudit(ctx, locked) : locked
    const agreed = decision === 'short_pay' && asked.amount === undefined ? await agreedOf(ctx, current) : 0
    const next = decide(current, decision, { amount: asked.amount, agreed })
    if (pays.includes(decision)) await requireNotOwn(ctx, current.id)
    const made = {
      decision,
      note: asked.note ?? null,
      amount: next.approved_amount,
      decided_by: await actorId(ctx),
      decided_at: toWire(new Date()),
    }
    if (decision === 'approve') {
      const [bill] = await makeBills(ctx, [
        { invoice: current, amount: next.approved_amount as number, decided: [made] },
      ])
      if (bill?.refusal) throw bill.refusal
    } else {
      await saveDecided(ctx, [{ ...next, decided: [made] }])
      await recordInvoices(ctx, [
        { type: `carrier_invoice.${verbs[decision]}`, id: current.id, previous: previousOf(current) },
      ])
    }
    return readBack(ctx, current.id)
  })
}

/** Whether what is paid follows from what the audit found, and not from what a person says. */
function followsAudit({ state }: CarrierInvoice, decision: Decision, { amount }: Asked): boolean {
  return (
    (decision === 'short_pay' && amount === undefined && state === 'exception') ||
    (decision === 'approve' && state === 'matched')
  )
}

/** The invoice, audited again where its manifests changed since: what was agreed may be something else. */
async function withAudit(ctx: Context, invoice: CarrierInvoice): Promise<CarrierInvoice> {
  if (!(await isOutdated(ctx, invoice.id))) return invoice
  await auditInvoices(ctx, [invoice], { bills: false })
  const audited: CarrierInvoice = JSON.parse((await readBack(ctx, invoice.id)).json)
  if (audited.state === invoice.state) return audited
  throw conflict(
    'not_audited',
    `What was agreed has changed since this carrier invoice was audited, and by now it would be ${audited.state}. Audit it again: POST …/audit.`,
  )
}

/** The decisions after which an amount is owed. */
const pays: readonly Decision[] = ['accept', 'short_pay', 'approve']

async function requireNotOwn(ctx: Context, id: string): Promise<void> {
  if (await isOwnEntry(ctx, id, await listActorsOfUser(ctx, await actorId(ctx))))
    throw forbidden(
      'own_entry',
      'You entered or changed this carrier invoice, and the organization does not let people approve what they entered.',
    )
}

const verbs = { accept: 'accepted', short_pay: 'short_paid', dispute: 'disputed', reject: 'rejected' } as const

/** What of an invoice was agreed: its total without what is too much. A tax stays as it is billed, and is not owed where none of the freight is. */
async function agreedOf(ctx: Context, { id, total_amount, findings, lines }: CarrierInvoice): Promise<number> {
  const agreed = total_amount - overchargeIn(findings, await findComparison(ctx, id))
  const tax = taxIn(lines) ?? 0
  return tax > 0 && agreed <= tax ? 0 : agreed
}

function decide(
  invoice: CarrierInvoice,
  decision: Decision,
  { amount, agreed }: { amount: number | undefined; agreed: number },
) {
  const { id, state, is_disputed, total_amount, bill_id } = invoice
  const same = { id, state, is_disputed, approved_amount: invoice.approved_amount, bill_id }
  switch (decision) {
    case 'accept':
      requireState(invoice, ['exception'], 'accepted')
      return { ...same, state: 'approved' as const, is_disputed: false, approved_amount: total_amount }
    case 'short_pay': {
      requireState(invoice, ['exception'], 'paid short')
      if (amount === undefined && agreed <= 0 && total_amount > 0)
        throw conflict(
          'nothing_agreed',
          'Nothing that this carrier invoice asks for was agreed, so it does not follow what is paid. Send the "amount" that is; to pay nothing, reject the invoice.',
        )
      const paid = amount ?? agreed
      if (!Number.isSafeInteger(paid))
        throw conflict(
          'amount_too_large',
          'What was agreed is beyond ±9007199254740991, the largest amount that can be kept exactly. Send the "amount" that is paid.',
        )
      if (paid >= total_amount)
        throw conflict(
          'not_short',
          `Paid short is less than the total of ${total_amount}, not ${paid}. Send a smaller "amount", or accept the invoice as it is.`,
        )
      if (paid < 0 && total_amount >= 0)
        throw invalid(
          'amount',
          'too_small',
          `"amount" cannot be less than 0, not ${paid}: the carrier would owe you. Send from 0 to below ${total_amount}.`,
        )
      return { ...same, state: 'approved' as const, is_disputed: false, approved_amount: paid }
    }
    case 'dispute':
      requireState(invoice, ['exception'], 'disputed')
      return { ...same, is_disputed: true }
    case 'reject':
      requireState(invoice, ['received', 'matched', 'exception', 'approved'], 'rejected')
      return { ...same, state: 'rejected' as const, approved_amount: null }
    case 'approve':
      requireState(invoice, ['matched', 'approved'], 'approved')
      if (invoice.audited_at === null)
        throw conflict(
          'not_audited',
          'This carrier invoice has not been audited since it was last changed. Audit it first: POST …/audit.',
        )
      return { ...same, approved_amount: invoice.approved_amount ?? total_amount }
  }
}

export function previousOf({ state, is_disputed, approved_amount, bill_id }: CarrierInvoice): Record<string, unknown> {
  return { state, is_disputed, approved_amount, bill_id }
}

async function save(
  ctx: Context,
  current: CarrierInvoice,
  next: Omit<StoredInvoice, 'state'>,
  verb: string,
): Promise<WireRecord> {
  const stored: StoredInvoice = { ...next, state: next.manifest_ids.length > 0 ? 'matched' : 'received' }
  const was = current as unknown as Record<string, unknown>
  const changed = Object.entries(stored).filter(([name, value]) => JSON.stringify(was[name]) !== JSON.stringify(value))
  if (changed.length === 0) return readBack(ctx, current.id)
  await saveContent(ctx, current.id, stored)
  const previous = Object.fromEntries(changed.map(([name]) => [name, was[name]]))
  await recordInvoices(ctx, [{ type: `carrier_invoice.${verb}`, id: current.id, previous }])
  return readBack(ctx, current.id)
}

async function lock(ctx: Context, reference: PlainReference, expected: ExpectedRevision): Promise<CarrierInvoice> {
  const current = await lockInvoice(ctx, reference)
  if (!current) throw notFound('carrier invoice', sentAs(reference))
  requireExpected(expected, current.revision)
  return current
}
