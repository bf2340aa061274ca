import type { Context } from '../../../../platform/context.ts'
import {
  envelope,
  type FoundRecords,
  nothingFound,
  type PageRequest,
  pageOf,
} from '../../../../platform/core/schema/pages.ts'
import { andWithin, type ChangeTime } from '../../../../platform/db/sql/changed.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../../../platform/db/sql/keyset.ts'
import { nothing, type Statement, searching, sql, when } from '../../../../platform/db/sql/sql.ts'
import { bills, questions } from './bills-sql.ts'
import { carrierInvoices, documents } from './carrier-invoices-sql.ts'
import { manifests, undoTime } from './manifests-sql.ts'
import type { ShownRecords } from './own-sql.ts'
import { tenders } from './tenders-sql.ts'
import type { Partner } from './who.ts'

const shown = {
  manifests,
  tenders,
  bills,
  questions,
  carrier_invoices: carrierInvoices,
  documents,
} as const satisfies Record<string, ShownRecords>
export type Name = keyof typeof shown

declare const own: unique symbol
/** The id of a record that was found to be the carrier's: only `findOwn` makes one, and whatever acts on a record asks for it. */
export type OwnId = string & { readonly [own]: true }
export type OwnRecord = { id: OwnId; revision: number; json: string }

/**
 * The one place where it is decided what a carrier reaches: rows of its organization that are the carrier's, and with a link those of its record. No
 * other file of the portal has a statement, and nothing here is found without a partner.
 */
function ownRows({ ctx, carrier, link }: Partner, name: Name): Statement {
  const { rows, byLink } = shown[name]
  return sql`from (${rows(ctx.org)}) as own where own.partner_carrier_id = ${carrier} ${link ? sql`and ${byLink(link)}` : nothing}`
}

type Search = PageRequest & ChangeTime & { status_ids?: readonly string[] | undefined; manifest_id?: OwnId | undefined }

/** A page of what is the carrier's, newest first. */
export async function listOwn(partner: Partner, name: Name, search: Search): Promise<string> {
  const { status_ids: states, manifest_id } = search
  const page = pageOf(
    `portal ${name}`,
    { ...search, carrier: partner.carrier, link: partner.link?.id },
    keyTypesOf(newestFirst),
  )
  const rows = sql`${ownRows(partner, name)} ${andWithin(search, sql`own.updated_at`)} ${when(states, sql`and own.state = any(${states}::text[])`)} ${when(manifest_id, sql`and own.manifest_id = ${manifest_id}`)}`
  const [found] = await partner.ctx.run<FoundRecords>(
    searching(pageStatement({ total: sql`(select count(*)::int ${rows})`, rows, order: newestFirst, page })),
  )
  return envelope(name, shownPage(name, found ?? nothingFound), page)
}

function shownPage(name: Name, found: FoundRecords): FoundRecords {
  const { show }: ShownRecords = shown[name]
  return show
    ? { ...found, list: `[${(JSON.parse(found.list) as unknown[]).map((row) => show(JSON.stringify(row))).join()}]` }
    : found
}

/** One record, if it is the carrier's. */
export async function findOwn(partner: Partner, name: Name, id: string): Promise<OwnRecord | undefined> {
  const [row] = await partner.ctx.run<OwnRecord>(
    sql`select own.id, own.revision, own.json ${ownRows(partner, name)} and own.id = ${id}`,
  )
  const { show }: ShownRecords = shown[name]
  return row && show ? { ...row, json: show(row.json) } : row
}

/** What was said about a bill of the carrier. */
export async function findThread(partner: Partner, bill: OwnId): Promise<OwnRecord | undefined> {
  const [row] = await partner.ctx.run<OwnRecord>(
    sql`select own.id, own.revision, own.json ${ownRows(partner, 'questions')} and own.bill_id = ${bill}`,
  )
  return row
}

/** Notes that a document came from the carrier. */
export async function insertPortalDocument(
  ctx: Context,
  {
    document,
    carrier,
    manifest,
    invoice,
  }: { document: string; carrier: string; manifest: OwnId | null; invoice: OwnId | null },
): Promise<void> {
  await ctx.run(sql`
    insert into portal_documents (org_id, document_id, partner_carrier_id, manifest_id, carrier_invoice_id) values (${ctx.org}, ${document}, ${carrier}, ${manifest}, ${invoice})`)
}

export type StopReport = { manifest: OwnId; stop: string; report: 'arrival' | 'departure' }

/** Notes that the carrier reported it, with the time that the stop has now. What can no longer be taken back is forgotten. */
export async function saveStopReport(
  ctx: Context,
  carrier: string,
  { manifest, stop, report }: StopReport,
): Promise<void> {
  const time = report === 'arrival' ? 'arrivedAt' : 'departedAt'
  await ctx.run(sql`
    delete from portal_stop_reports where org_id = ${ctx.org} and manifest_id = ${manifest} and reported_at <= statement_timestamp() - ${undoTime}`)
  await ctx.run(sql`
    insert into portal_stop_reports (org_id, manifest_id, stop_id, report, partner_carrier_id, at)
    select m.org_id, m.id, ${stop}::uuid, ${report}, ${carrier}, s.value ->> ${time}
    from objects m cross join lateral jsonb_array_elements(m.json -> 'stops') as s(value)
    where m.org_id = ${ctx.org} and m.id = ${manifest} and s.value ->> 'id' = ${stop}
    on conflict (org_id, manifest_id, stop_id, report) do update
      set partner_carrier_id = excluded.partner_carrier_id, at = excluded.at, reported_at = excluded.reported_at`)
}

/** What was taken back is nobody's report any more: were the same time reported by others, it would be theirs. */
export async function deleteStopReport(ctx: Context, { manifest, stop, report }: StopReport): Promise<void> {
  await ctx.run(
    sql`delete from portal_stop_reports where org_id = ${ctx.org} and manifest_id = ${manifest} and stop_id = ${stop} and report = ${report}`,
  )
}

/** What the carrier reported of a stop and can take back: which, and the time that it gave. */
export async function findStopReports(
  ctx: Context,
  carrier: string,
  manifest: OwnId,
  stop: string,
): Promise<{ report: StopReport['report']; at: string }[]> {
  return ctx.run(sql`
    select report, at from portal_stop_reports
    where org_id = ${ctx.org} and manifest_id = ${manifest} and stop_id = ${stop} and partner_carrier_id = ${carrier}
      and reported_at > statement_timestamp() - ${undoTime}`)
}
