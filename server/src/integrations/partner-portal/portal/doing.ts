import { estimateAgain } from '../../../freight/positions/actions.ts'
import { type Report, reportArrival, reportDeparture, undoReport } from '../../../freight/stops/actions.ts'
import { createInvoice } from '../../../payables/carrier-invoices/received/creating.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { conflict, notFound, Refusal } from '../../../platform/core/refusal.ts'
import type { ExpectedRevision } from '../../../platform/core/schema/revisions.ts'
import { createDocument } from '../../../platform/files/actions.ts'
import type { Upload } from '../../../platform/files/contents/receive.ts'
import { requireRoom, takeRoom } from '../../../platform/files/contents/room.ts'
import type { DocumentType } from '../../../platform/files/model.ts'
import type { Storage } from '../../../platform/files/storage/storage.ts'
import type { FileLimits } from '../../../settings.ts'
import { askAboutBill } from '../questions/actions.ts'
import { acceptTender, counterTender, declineTender } from '../tenders/actions.ts'
import type { AnsweredTender, Counter } from '../tenders/model.ts'
import type { NewPortalInvoice } from './model.ts'
import {
  deleteStopReport,
  findStopReports,
  findThread,
  insertPortalDocument,
  type Name,
  type OwnRecord,
  type StopReport,
  saveStopReport,
} from './own/own-store.ts'
import { type Partner, withContext } from './own/who.ts'
import { requireOwn } from './paths.ts'

/**
 * Does something with a record of the carrier, and looks again afterwards, in the same transaction and with everything locked: had somebody taken it from
 * the carrier meanwhile, nothing of it has happened.
 */
function withOwn(
  partner: Partner,
  name: Name,
  id: string,
  act: (ctx: Context, own: OwnRecord) => Promise<unknown>,
): Promise<OwnRecord> {
  return transaction(partner.ctx, async (ctx) => {
    const asking = withContext(partner, ctx)
    await act(ctx, await requireOwn(asking, name, id))
    return requireOwn(asking, name, id)
  })
}

type Answering = { id: string; expected: ExpectedRevision }

export function accept(
  partner: Partner,
  { id, expected }: Answering,
  answer: AnsweredTender,
  portal: string,
): Promise<OwnRecord> {
  return withOwn(partner, 'tenders', id, (ctx, own) => acceptTender(ctx, own.id, answer, expected, portal))
}

export function decline(partner: Partner, { id, expected }: Answering, answer: AnsweredTender): Promise<OwnRecord> {
  return withOwn(partner, 'tenders', id, (ctx, own) => declineTender(ctx, own.id, answer, expected))
}

export function counter(partner: Partner, { id, expected }: Answering, input: Counter): Promise<OwnRecord> {
  return withOwn(partner, 'tenders', id, (ctx, own) => counterTender(ctx, own.id, input, expected))
}

export function arrive(partner: Partner, manifest: string, stop: string, said: Report): Promise<OwnRecord> {
  return reportStop(partner, { manifest, stop, report: 'arrival' }, said)
}

export function depart(partner: Partner, manifest: string, stop: string, said: Report): Promise<OwnRecord> {
  return reportStop(partner, { manifest, stop, report: 'departure' }, said)
}

type Reporting = { manifest: string; stop: string; report: StopReport['report'] }

function reportStop(partner: Partner, { manifest, stop, report }: Reporting, said: Report): Promise<OwnRecord> {
  return withOwn(partner, 'manifests', manifest, async (ctx, own) => {
    requireAssigned(own)
    const act = report === 'arrival' ? reportArrival : reportDeparture
    const { isNew, before } = await act(ctx, { by: 'id', id: own.id }, stop, said, { afterwards: estimateAgain })
    // Another time for what others reported, or what was reported long ago, makes it no report that the carrier takes back.
    const isOwn =
      before === null ||
      (await findStopReports(ctx, partner.carrier, own.id, stop)).some(
        (one) => one.report === report && one.at === before,
      )
    if (isNew && isOwn) await saveStopReport(ctx, partner.carrier, { manifest: own.id, stop, report })
  })
}

/** Takes back what the carrier itself reported of a stop a short while ago, unless somebody has changed it since. With `report` only if that was the last. */
export function undo(
  partner: Partner,
  manifest: string,
  stop: string,
  report: StopReport['report'] | undefined,
): Promise<OwnRecord> {
  return withOwn(partner, 'manifests', manifest, async (ctx, own) => {
    requireAssigned(own)
    const reported = await findStopReports(ctx, partner.carrier, own.id, stop)
    let undone: StopReport['report'] = 'arrival'
    await undoReport(ctx, { by: 'id', id: own.id }, stop, {
      afterwards: estimateAgain,
      mayUndo({ arrivedAt, departedAt }) {
        const last = departedAt ? 'departure' : 'arrival'
        if (report && report !== last)
          throw conflict('not_reported', `The last report of this stop is its ${last}, not its ${report}.`)
        undone = last
        if (!reported.some((one) => one.report === last && one.at === (departedAt ?? arrivedAt)))
          throw conflict(
            'undo_over',
            `The ${last} was not reported by the carrier in the last ten minutes, so it stays. Ask those who gave you the load to correct it.`,
          )
      },
    })
    await deleteStopReport(ctx, { manifest: own.id, stop, report: undone })
  })
}

type Sending = { storage: Storage | null; upload: Upload; document_type: DocumentType }

/** Keeps a file with a manifest or an invoice of the carrier. Answers the document as the carrier sees it. */
export async function sendDocument(
  partner: Partner,
  to: { name: 'manifests' | 'carrier_invoices'; id: string },
  sending: Sending,
): Promise<OwnRecord> {
  const { storage, upload, document_type } = sending
  return transaction(partner.ctx, async (ctx) => {
    const asking = withContext(partner, ctx)
    const own = await requireSendable(asking, to)
    const isManifest = to.name === 'manifests'
    const attached_to = [{ type: isManifest ? 'manifest' : 'carrier_invoice', id: own.id }]
    const { id } = await createDocument(ctx, storage, upload, { document_type, attached_to })
    await insertPortalDocument(ctx, {
      document: id,
      carrier: partner.carrier,
      manifest: isManifest ? own.id : null,
      invoice: isManifest ? null : own.id,
    })
    if (storage) await takeRoomOf(asking, storage.limits, upload.size)
    return requireOwn({ ...asking, link: null }, 'documents', id)
  })
}

async function takeRoomOf(
  { ctx, carrier, link }: Partner,
  limits: FileLimits | undefined,
  size: number,
): Promise<void> {
  await takeRoom(ctx, limits, 'carrier', carrier, { files: 1, bytes: size })
  if (link) await takeRoom(ctx, limits, 'link', link.id, { files: 1, bytes: size })
}

/** Refuses a file before it is read where none is kept any more. */
export async function requireRoomOf({ ctx, carrier, link }: Partner, limits: FileLimits | undefined): Promise<void> {
  await requireRoom(ctx, limits, 'carrier', carrier)
  if (link) await requireRoom(ctx, limits, 'link', link.id)
}

/** The record that a file is to be kept with, if the carrier may do so. */
export async function requireSendable(
  partner: Partner,
  { name, id }: { name: 'manifests' | 'carrier_invoices'; id: string },
): Promise<OwnRecord> {
  const own = await requireOwn(partner, name, id)
  if (name === 'manifests') requireAssigned(own)
  return own
}

/** Puts an invoice into the inbox of carrier invoices. A number that the carrier has sent before is refused: a second tap sends nothing twice. */
export async function sendInvoice(partner: Partner, input: NewPortalInvoice, limits: FileLimits): Promise<OwnRecord> {
  const { carrier, link } = partner
  if (link?.bill) throw conflict('link_limited', 'This link is for a bill, so no invoice can be sent with it.')
  const asked = link?.manifest ?? input.manifest_id ?? null
  if (link && input.manifest_id && input.manifest_id.toLowerCase() !== link.manifest)
    throw notFound('manifest', input.manifest_id)
  return transaction(partner.ctx, async (ctx) => {
    const asking = withContext(partner, ctx)
    const manifest = asked === null ? null : await requireOwn(asking, 'manifests', asked)
    if (manifest) requireAssigned(manifest)
    // Whoever has the link may be a stranger: what they send counts together with their files.
    if (link) await takeRoom(ctx, limits, 'link', link.id, { files: 1, bytes: 0 })
    const { invoice_number, invoice_date = null, currency_id, total_amount, reference_number = null } = input
    const lines = [{ description: 'As invoiced', amount: total_amount, ...(manifest && { manifest_id: manifest.id }) }]
    const { id } = await createInvoice(ctx, {
      ...{
        partner_carrier_id: carrier,
        invoice_number,
        invoice_date,
        currency_id,
        total_amount,
        reference_number,
        lines,
        source: 'portal',
      },
      ...{
        source_key: `portal ${carrier} ${invoice_number.trim().toLowerCase()}`,
        manifest_ids: manifest ? [manifest.id] : [],
      },
    }).catch((error) => {
      const isSecond = error instanceof Refusal && error.code === 'arrived_before'
      throw isSecond
        ? conflict(
            'invoice_sent_before',
            `The invoice ${invoice_number} was sent before. Give another one its own number.`,
          )
        : error
    })
    return requireOwn(asking, 'carrier_invoices', id)
  })
}

/** Answers the thread. */
export function ask(partner: Partner, bill: string, text: string): Promise<OwnRecord> {
  return transaction(partner.ctx, async (ctx) => {
    const asking = withContext(partner, ctx)
    const own = await requireOwn(asking, 'bills', bill)
    const author_name = partner.name ?? partner.carrierName
    await askAboutBill(ctx, { bill: own.id, carrier: partner.carrier, author_name, text })
    return (await findThread(asking, own.id)) as OwnRecord
  })
}

/** What is only offered is not the carrier's to report on. */
function requireAssigned({ json }: OwnRecord): void {
  const { relation, full_id } = JSON.parse(json) as { relation: string; full_id: string }
  if (relation !== 'assigned')
    throw conflict(
      'not_assigned',
      `The manifest ${full_id} is offered to you and not yours yet. Accept the tender first.`,
    )
}
