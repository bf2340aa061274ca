import { requireCurrencies } from '../../../books/currencies/known.ts'
import { uncheckedExtensions } from '../../../freight/extension.ts'
import { actorId } from '../../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { conflict, invalid, notFound } from '../../../platform/core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../../../platform/core/schema/revisions.ts'
import { newId } from '../../../platform/core/values/ids.ts'
import { updateObject } from '../../../records/single/actions.ts'
import { findManifest, type HeldManifest, requireCarrier, requireManifest } from '../carriers/lookup.ts'
import { usualTenderSeconds } from '../durations.ts'
import { type PortalUrl, tellOfTenders } from '../notices/mails.ts'
import { agreedPay, type Pay, withoutPay } from './agreed-pay.ts'
import { type AnsweredTender, type Counter, type Decision, type NewTender, requireState, type Tender } from './model.ts'
import {
  type Change,
  closeTenders,
  findManifestOf,
  findTender,
  insertTender,
  lockTendersOf,
  recordTenders,
  saveTender,
} from './store.ts'

/** Offers a manifest to a carrier. The manifest is locked, as by everyone who decides about its carrier. */
export function createTender(ctx: Context, input: NewTender, portal: PortalUrl): Promise<WireRecord & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const partner_carrier_id = input.partner_carrier_id.toLowerCase()
    const manifest = await requireManifest(ctx, input.manifest_id.toLowerCase())
    await requireCarrier(ctx, partner_carrier_id)
    requireFree(manifest)
    const currency_id = (input.currency_id ?? manifest.currency)?.toLowerCase() ?? null
    if (currency_id) await requireCurrencies(ctx, [currency_id], 'currency_id')
    if (input.rate != null && !currency_id)
      throw invalid(
        'currency_id',
        'currency_required',
        'The manifest has no currency, so say with "currency_id" what the rate is in.',
      )
    await closeExpired(ctx, manifest.id)
    const id = newId()
    const rate = input.rate ?? null
    const made = {
      id,
      manifest_id: manifest.id,
      partner_carrier_id,
      currency_id,
      rate,
      message: input.message ?? null,
      created_by: await actorId(ctx),
    }
    await insertTender(ctx, made, input.expires_in ?? usualTenderSeconds)
    await tellOfTenders(ctx, portal, [{ id, news: 'offered' }])
    await recordTenders(ctx, [{ type: 'tender.created', id }])
    return { id, ...(await readBack(ctx, id)) }
  })
}

/** The carrier takes it at the rate that is offered: the manifest is the carrier's, and all other tenders of it end. */
export function acceptTender(
  ctx: Context,
  id: string,
  { answer }: AnsweredTender,
  expected: ExpectedRevision,
  portal: PortalUrl,
): Promise<WireRecord> {
  return change(ctx, id, expected, async (before) => {
    const { ctx, tender } = before
    requireState(tender, ['open'], 'accepted')
    if (tender.rate === null)
      throw conflict('rate_required', 'This tender asks for a rate, so answer it with one: POST …/counter.')
    return award(
      before,
      { agreed_rate: tender.rate, answered_by: await actorId(ctx), ...(answer !== undefined && { answer }) },
      portal,
    )
  })
}

export function declineTender(
  ctx: Context,
  id: string,
  { answer }: AnsweredTender,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return change(ctx, id, expected, async ({ ctx, tender }) => {
    requireState(tender, ['open', 'countered'], 'declined')
    await saveTender(ctx, tender, {
      id,
      state: 'declined',
      answered_by: await actorId(ctx),
      ...(answer !== undefined && { answer }),
    })
    return [{ type: 'tender.declined', id, previous: { state: tender.state } }]
  })
}

/** The carrier asks for another rate. It can be said again while nobody has decided. */
export function counterTender(
  ctx: Context,
  id: string,
  { rate, currency_id, answer }: Counter,
  expected: ExpectedRevision,
): Promise<WireRecord> {
  return change(ctx, id, expected, async ({ ctx, tender }) => {
    requireState(tender, ['open', 'countered'], 'countered')
    const currency = tender.currency_id ?? currency_id?.toLowerCase() ?? null
    if (!currency)
      throw invalid(
        'currency_id',
        'currency_required',
        'The tender has no currency, so say with "currency_id" what the rate is in.',
      )
    if (currency_id && currency_id.toLowerCase() !== currency)
      throw invalid('currency_id', 'other_currency', `The tender is in ${currency}, so the rate is too.`, [currency])
    await requireCurrencies(ctx, [currency], 'currency_id')
    const said = {
      counter_rate: rate,
      currency_id: currency,
      answered_by: await actorId(ctx),
      ...(answer !== undefined && { answer }),
    }
    await saveTender(ctx, tender, { id, state: 'countered', ...said })
    return [{ type: 'tender.countered', id, previous: { state: tender.state, counter_rate: tender.counter_rate } }]
  })
}

/** We take what the carrier asked for. */
export function acceptCounter(
  ctx: Context,
  id: string,
  { reason }: Decision,
  expected: ExpectedRevision,
  portal: PortalUrl,
): Promise<WireRecord> {
  return change(ctx, id, expected, async (before) => {
    const { tender } = before
    requireState(tender, ['countered'], 'accepted at the rate that the carrier asks for')
    return award(before, { agreed_rate: tender.counter_rate }, portal, reason)
  })
}

/** Takes an offer back. One that was accepted takes the carrier off the manifest, unless that has another one by now. */
export function cancelTender(
  ctx: Context,
  id: string,
  { reason }: Decision,
  expected: ExpectedRevision,
  portal: PortalUrl,
): Promise<WireRecord> {
  return change(ctx, id, expected, async ({ ctx, tender, manifest }) => {
    requireState(tender, ['open', 'countered', 'accepted'], 'cancelled')
    await saveTender(ctx, tender, { id, state: 'cancelled' })
    if (tender.state === 'accepted' && manifest.carrier === tender.partner_carrier_id)
      await giveTo(ctx, manifest.id, null, withoutPay(manifest, [tender]))
    await tellOfTenders(ctx, portal, [{ id, news: tender.state === 'accepted' ? 'withdrawn' : 'ended' }])
    return [
      {
        type: 'tender.cancelled',
        id,
        previous: { state: tender.state, agreed_rate: tender.agreed_rate },
        ...because(reason),
      },
    ]
  })
}

/** `others` are the other tenders of the manifest. */
type Before = { ctx: Context; tender: Tender; manifest: HeldManifest; others: readonly Tender[] }
type Happened = {
  type: `tender.${string}`
  id: string
  previous?: Record<string, unknown>
  overrides?: Record<string, unknown>
}

/** The event carries the reason: a tender can be decided about more than once. */
function because(reason: string | undefined): Pick<Happened, 'overrides'> {
  return reason === undefined ? {} : { overrides: { reason } }
}

/** In one order, so that nobody waits in a circle: the manifest, then all of its tenders. Of two who accept at once the second sees what the first did. */
function change(
  ctx: Context,
  id: string,
  expected: ExpectedRevision,
  decide: (before: Before) => Promise<Happened[]>,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const manifestId = await findManifestOf(ctx, id)
    if (!manifestId) throw notFound('tender', id)
    const manifest = await findManifest(ctx, manifestId)
    if (!manifest) throw conflict('manifest_closed', 'The manifest of this tender was deleted.')
    const all = await lockTendersOf(ctx, manifestId)
    const tender = all.find((one) => one.id === id)
    if (!tender) throw notFound('tender', id)
    requireExpected(expected, tender.revision)
    const happened = await decide({ ctx, tender, manifest, others: all.filter((one) => one.id !== id) })
    await recordTenders(ctx, happened)
    return readBack(ctx, id)
  })
}

async function award(
  { ctx, tender, manifest, others }: Before,
  change: Omit<Change, 'id' | 'state'>,
  portal: PortalUrl,
  reason?: string,
): Promise<Happened[]> {
  if (manifest.carrier !== tender.partner_carrier_id) requireFree(manifest)
  const { id } = tender
  // One that was accepted before is over as well: its carrier was taken off the manifest by hand.
  const ended = await closeTenders(
    ctx,
    others.map((one) => one.id),
    'cancelled',
  )
  await saveTender(ctx, tender, { id, state: 'accepted', ...change })
  const waiting = others.filter((one) => ended.includes(one.id) && (one.state === 'open' || one.state === 'countered'))
  // Before the manifest is another carrier's, while those that lose it may still be told which it was. Who accepts an offer knows of it.
  await tellOfTenders(ctx, portal, [
    ...waiting.map((one) => ({ id: one.id, news: 'ended' as const })),
    ...(tender.state === 'countered' ? [{ id, news: 'agreed' as const }] : []),
  ])
  const agreed = { ...tender, ...change }
  await giveTo(ctx, manifest.id, tender.partner_carrier_id, agreedPay(manifest, agreed, others))
  return [
    ...ended.map((one) => ({
      type: 'tender.cancelled' as const,
      id: one,
      previous: { state: others.find((other) => other.id === one)?.state },
    })),
    { type: 'tender.accepted', id, previous: { state: tender.state }, ...because(reason) },
  ]
}

/** The carrier of a manifest is its own field, so that everything else that asks for it finds it. */
async function giveTo(ctx: Context, manifest: string, carrier: string | null, pay: Pay): Promise<void> {
  await updateObject(ctx, { by: 'id', id: manifest }, { partnerId: carrier, ...pay }, null, {
    extensions: uncheckedExtensions,
  })
}

function requireFree({ carrier, status, full_id }: HeldManifest): void {
  if (carrier) throw conflict('manifest_taken', `The manifest ${full_id} has a carrier already.`)
  if (['completed', 'cancelled', 'inactive'].includes(status))
    throw conflict('manifest_closed', `The manifest ${full_id} is ${status}, so it is not offered.`)
}

/** What has expired makes room for the next. */
async function closeExpired(ctx: Context, manifest: string): Promise<void> {
  const expired = (await lockTendersOf(ctx, manifest)).filter(({ state }) => state === 'expired').map(({ id }) => id)
  const closed = await closeTenders(ctx, expired, 'expired')
  await recordTenders(
    ctx,
    closed.map((id) => ({ type: 'tender.expired', id })),
  )
}

async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findTender(ctx, id)
  if (!found) throw new Error(`tender ${id} is missing within its own transaction`)
  return found
}
