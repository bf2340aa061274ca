import type { Context } from '../../../platform/context.ts'
import { conflict, quote } from '../../../platform/core/refusal.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import type { PlainReference } from '../../../platform/core/values/ids.ts'
import { andChanged } from '../../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../../platform/db/sql/keyset.ts'
import { type Statement, searching, sql, when } from '../../../platform/db/sql/sql.ts'
import { type EventOf, recordEach } from '../../../platform/events/record.ts'
import type { Comparison } from './compare.ts'
import type { CarrierInvoice, CarrierInvoiceSearch, Decision } from './model.ts'

export async function listInvoices(ctx: Context, search: CarrierInvoiceSearch): Promise<string> {
  const page = pageOf('carrier_invoices', search, keyTypesOf(newestFirst))
  const filter = filterOf(ctx.org, search)
  const [found] = await ctx.run<FoundRecords>(
    searching(
      pageStatement({
        total: sql`(select count(*)::int from carrier_invoices i where ${filter})`,
        json: sql`(select ${wholeOf(ctx.org)} from carrier_invoices_wire w where w.org_id = ${ctx.org} and w.id = i.id)`,
        rows: sql`from carrier_invoices i where ${filter}`,
        order: newestFirst,
        page,
      }),
    ),
  )
  return envelope('carrier_invoices', found ?? nothingFound, page)
}

/** The JSON of invoices `w` with their documents. */
function wholeOf(org: string): Statement {
  return sql`left(w.json, -1) || ',"documents":[' || coalesce((
    select string_agg(json_build_object('id', d.id, 'file_name', d.file_name, 'media_type', d.media_type, 'size', d.size, 'document_type', d.document_type)::text, ','
      order by l.created_at, d.created_at, d.id)
    from document_links l join document_files d on d.org_id = l.org_id and d.id = l.document_id where l.org_id = ${org} and l.carrier_invoice_id = w.id), '') || ']}'`
}

function filterOf(org: string, search: CarrierInvoiceSearch): Statement {
  const {
    status_ids: states,
    partner_carrier_ids,
    manifest_ids,
    bill_ids,
    invoice_number,
    invoice_start_on,
    invoice_end_on,
    disputed,
  } = search
  const { min_total_amount: least, max_total_amount: most } = search
  const term = search.search_term?.trim() || undefined
  return sql`i.org_id = ${org}${andChanged(org, 'carrier_invoices', search, sql`i.id`)} ${when(states, sql`and i.state = any(${states}::text[])`)}
    ${when(partner_carrier_ids, sql`and i.partner_carrier_id = any(${partner_carrier_ids}::uuid[])`)}
    ${when(
      manifest_ids,
      sql`and i.id in (
      select m.carrier_invoice_id from carrier_invoice_manifests m where m.org_id = ${org} and m.manifest_id = any(${manifest_ids}::uuid[]))`,
    )} ${when(bill_ids, sql`and i.bill_id = any(${bill_ids}::uuid[])`)}
    ${when(invoice_number, sql`and i.number_key = carrier_number(${invoice_number})`)}
    ${when(invoice_start_on, sql`and i.invoice_date >= ${invoice_start_on}::date`)} ${when(invoice_end_on, sql`and i.invoice_date <= ${invoice_end_on}::date`)}
    ${when(least !== undefined, sql`and i.total_amount >= ${least}`)} ${when(most !== undefined, sql`and i.total_amount <= ${most}`)}
    ${when(disputed !== undefined, sql`and i.is_disputed = ${disputed}`)} ${when(term, sql`and ${contains(org, term)}`)}`
}

/** Looks at every invoice that the other filters leave; people search among those that are open. */
function contains(org: string, term: string | undefined): Statement {
  return sql`(position(lower(${term}) in lower(concat_ws(chr(10), i.invoice_number, i.reference_number))) > 0
    or position(lower(${term}) in lower((select o.name from objects o where o.org_id = ${org} and o.id = i.partner_carrier_id))) > 0)`
}

function which(reference: PlainReference): Statement {
  return reference.by === 'id' ? sql`id = ${reference.id}` : sql`external_id = ${reference.external_id}`
}

export async function findInvoice(
  ctx: Context,
  reference: PlainReference,
): Promise<(WireRecord & { id: string }) | undefined> {
  const [row] = await ctx.run<WireRecord & { id: string }>(
    sql`select w.id, w.revision, ${wholeOf(ctx.org)} as json from carrier_invoices_wire w where w.org_id = ${ctx.org} and ${which(reference)}`,
  )
  return row
}

/** Ours until the transaction ends. */
export async function lockInvoice(ctx: Context, reference: PlainReference): Promise<CarrierInvoice | undefined> {
  const locked = await ctx.run(
    sql`select id from carrier_invoices where org_id = ${ctx.org} and ${which(reference)} for update`,
  )
  const found = locked.length > 0 ? await findInvoice(ctx, reference) : undefined
  return found && JSON.parse(found.json)
}

/** Those of these invoices that are still open and undisputed, locked in the order of their ids. */
export async function lockOpen(ctx: Context, ids: readonly string[]): Promise<CarrierInvoice[]> {
  await ctx.run(
    sql`select id from carrier_invoices where org_id = ${ctx.org} and id = any(${ids}::uuid[]) order by id for update`,
  )
  const rows = await ctx.run<{ json: string }>(
    sql`select w.json from carrier_invoices i join carrier_invoices_wire w on w.org_id = ${ctx.org} and w.id = i.id
      where i.org_id = ${ctx.org} and i.id = any(${ids}::uuid[]) and i.state in ('received', 'matched', 'exception') and not i.is_disputed order by i.id`,
  )
  return rows.map(({ json }) => JSON.parse(json))
}

export type StoredInvoice = Pick<
  CarrierInvoice,
  | 'partner_carrier_id'
  | 'invoice_number'
  | 'invoice_date'
  | 'currency_id'
  | 'reference_number'
  | 'lines'
  | 'total_amount'
  | 'is_total_computed'
  | 'notes'
  | 'missing_fields'
  | 'manifest_ids'
  | 'state'
>
export type NewStoredInvoice = Omit<StoredInvoice, 'missing_fields' | 'is_total_computed'> &
  Partial<Pick<StoredInvoice, 'missing_fields' | 'is_total_computed'>> &
  Pick<CarrierInvoice, 'id' | 'external_id' | 'source' | 'created_by'> & { source_key: string | null }

/** New invoices; gives back how many went in. With `ifNew`, those whose source key or external id is taken do not. */
export async function insertInvoices(
  ctx: Context,
  invoices: readonly NewStoredInvoice[],
  { ifNew = false } = {},
): Promise<string[]> {
  const rows = await ctx
    .run<{ id: string }>(sql`
      insert into carrier_invoices as c (org_id, id, external_id, partner_carrier_id, invoice_number, invoice_date, currency_id, reference_number, lines, total_amount,
        is_total_computed, notes, source, source_key, missing_fields, manifest_ids, state, created_by)
      select own.org_id, n.id, n.external_id, n.partner_carrier_id, n.invoice_number, n.invoice_date, n.currency_id, n.reference_number, n.lines, n.total_amount,
        coalesce(n.is_total_computed, false), n.notes, n.source, n.source_key, coalesce(n.missing_fields, '{}'), n.manifest_ids, n.state, n.created_by
      from organizations own cross join jsonb_to_recordset(${JSON.stringify(invoices)}::text::jsonb) as n(id uuid, external_id text, partner_carrier_id uuid, invoice_number text,
        invoice_date date, currency_id text, reference_number text, lines jsonb, total_amount bigint, is_total_computed boolean, notes text, source text, source_key text, missing_fields text[],
        manifest_ids uuid[], state text, created_by text)
      where own.org_id = ${ctx.org} ${ifNew ? sql`on conflict do nothing` : sql``} returning c.id`)
    .catch((error) => {
      switch (violatedConstraint(error)) {
        case 'carrier_invoice_external_id':
          throw conflict(
            'external_id_taken',
            `Another carrier invoice has the external_id ${quote(invoices[0]?.external_id)} already.`,
            [{ field: 'external_id', code: 'taken', message: 'An external_id is unique in the organization.' }],
          )
        case 'carrier_invoice_arrives_once':
          throw conflict(
            'arrived_before',
            `The message ${quote(invoices[0]?.source_key)} has arrived before, and its invoice is there.`,
          )
        default:
          throw error
      }
    })
  const inserted = new Set(rows.map(({ id }) => id))
  await saveManifests(
    ctx,
    invoices.filter(({ id, manifest_ids }) => manifest_ids.length > 0 && inserted.has(id)),
  )
  return [...inserted]
}

/** Keeps with which manifests these invoices are matched now where it can be looked up by the manifest. */
async function saveManifests(
  ctx: Context,
  invoices: readonly Pick<CarrierInvoice, 'id' | 'manifest_ids'>[],
): Promise<void> {
  if (invoices.length === 0) return
  const pairs = invoices.flatMap(({ id, manifest_ids }) => manifest_ids.map((manifest) => ({ id, manifest })))
  await ctx.run(
    sql`delete from carrier_invoice_manifests where org_id = ${ctx.org} and carrier_invoice_id = any(${invoices.map(({ id }) => id)}::uuid[])`,
  )
  await ctx.run(sql`
    insert into carrier_invoice_manifests (org_id, manifest_id, carrier_invoice_id) select own.org_id, n.manifest, n.id
    from organizations own cross join unnest(${pairs.map(({ manifest }) => manifest)}::uuid[], ${pairs.map(({ id }) => id)}::uuid[]) as n(manifest, id)
    where own.org_id = ${ctx.org} on conflict do nothing`)
}

/** Which of these messages have arrived before, and what was made of them. */
export async function listArrived(
  ctx: Context,
  keys: readonly string[],
): Promise<{ id: string; source_key: string }[]> {
  return ctx.run<{ id: string; source_key: string }>(
    sql`select id, source_key from carrier_invoices where org_id = ${ctx.org} and source_key = any(${keys}::text[]) order by source_key`,
  )
}

/** What a change of content or a match makes of an open invoice: what was found before says nothing of it. */
export async function saveContent(ctx: Context, id: string, next: StoredInvoice): Promise<void> {
  const {
    partner_carrier_id,
    invoice_number,
    invoice_date,
    currency_id,
    reference_number,
    lines,
    total_amount,
    is_total_computed,
    notes,
  } = next
  const { missing_fields, manifest_ids, state } = next
  await ctx.run(sql`
    update carrier_invoices set partner_carrier_id = ${partner_carrier_id}, invoice_number = ${invoice_number}, invoice_date = ${invoice_date}::date, currency_id = ${currency_id},
      reference_number = ${reference_number}, lines = ${JSON.stringify(lines)}::text::jsonb, total_amount = ${total_amount}, is_total_computed = ${is_total_computed}, notes = ${notes},
      missing_fields = ${missing_fields}::text[], manifest_ids = ${manifest_ids}::uuid[], state = ${state}, findings = '[]', comparison = '[]', audited_at = null, ${nextRevision}
    where org_id = ${ctx.org} and id = ${id}`)
  await saveManifests(ctx, [{ id, manifest_ids }])
}

const nextRevision = sql`revision = revision + 1, updated_at = statement_timestamp()`

export type AuditResult = Pick<CarrierInvoice, 'id' | 'manifest_ids' | 'state' | 'findings'> & {
  comparison: readonly Comparison[]
}

export async function saveAudits(ctx: Context, results: readonly AuditResult[]): Promise<void> {
  await ctx.run(sql`
    update carrier_invoices i set manifest_ids = n.manifest_ids, state = n.state, findings = n.findings, comparison = n.comparison, audited_at = statement_timestamp(),
      revision = i.revision + 1, updated_at = statement_timestamp()
    from jsonb_to_recordset(${JSON.stringify(results)}::text::jsonb) as n(id uuid, manifest_ids uuid[], state text, findings jsonb, comparison jsonb)
    where i.org_id = ${ctx.org} and i.id = n.id`)
  await saveManifests(ctx, results)
}

/** Every difference that the last audit of an invoice found, tolerated or not. */
export async function findComparison(ctx: Context, id: string): Promise<Comparison[]> {
  const [row] = await ctx.run<{ comparison: Comparison[] }>(
    sql`select comparison from carrier_invoices where org_id = ${ctx.org} and id = ${id}`,
  )
  return row?.comparison ?? []
}

export type MadeDecision = {
  decision: Decision | 'void'
  note: string | null
  amount: number | null
  decided_by: string
  decided_at: string
}
export type DecidedInvoice = {
  id: string
  state: CarrierInvoice['state']
  is_disputed: boolean
  approved_amount: number | null
  bill_id: string | null
  /** What is added to its decisions. */
  decided: readonly MadeDecision[]
}

export async function saveDecided(ctx: Context, decided: readonly DecidedInvoice[]): Promise<void> {
  await ctx.run(sql`
    update carrier_invoices i set state = n.state, is_disputed = n.is_disputed, approved_amount = n.approved_amount, bill_id = n.bill_id,
      decisions = i.decisions || n.decided, revision = i.revision + 1, updated_at = statement_timestamp()
    from jsonb_to_recordset(${JSON.stringify(decided)}::text::jsonb) as n(id uuid, state text, is_disputed boolean, approved_amount bigint, bill_id uuid, decided jsonb)
    where i.org_id = ${ctx.org} and i.id = n.id`)
}

/** An invoice whose bill is gone: what was found and approved before says nothing any more. */
export async function saveReopened(ctx: Context, id: string, made: MadeDecision): Promise<void> {
  await ctx.run(sql`
    update carrier_invoices set state = case when manifest_ids = '{}' then 'received' else 'matched' end, findings = '[]', comparison = '[]', audited_at = null,
      is_disputed = false, approved_amount = null, bill_id = null, decisions = decisions || ${JSON.stringify([made])}::text::jsonb, ${nextRevision}
    where org_id = ${ctx.org} and id = ${id}`)
}

export async function deleteInvoice(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from carrier_invoices where org_id = ${ctx.org} and id = ${id}`)
}

export function listByIds(ctx: Context, ids: readonly string[]): Promise<(WireRecord & { id: string })[]> {
  return ctx.run<WireRecord & { id: string }>(byIds(ctx.org, ids))
}

/** Records events of invoices, each with the invoice as it is now. */
export function recordInvoices(ctx: Context, events: readonly EventOf[]): Promise<void> {
  const ids = [...new Set(events.map(({ id }) => id))]
  return recordEach(ctx, 'carrier_invoice', events, byIds(ctx.org, ids))
}

function byIds(org: string, ids: readonly string[]): Statement {
  return sql`select w.id, w.revision, ${wholeOf(org)} as json from carrier_invoices_wire w where w.org_id = ${org} and w.id = any(${ids}::uuid[])`
}

/** Which of these manifests are there. */
export async function listKnownManifests(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(
    sql`select id from objects where org_id = ${ctx.org} and id = any(${ids}::uuid[]) and object_key = 'manifest' and deleted_at is null`,
  )
  return rows.map(({ id }) => id)
}

/** Whether one of these entered or changed the invoice, in an organization that does not let people approve what they entered. */
export async function isOwnEntry({ org, run }: Context, id: string, ids: readonly string[]): Promise<boolean> {
  const rows = await run(sql`
    select from organizations o join carrier_invoices i on i.org_id = o.org_id
    where o.org_id = ${org} and i.org_id = ${org} and i.id = ${id} and o.forbid_self_approval and (i.created_by = any(${ids}::text[]) or exists (
      select from events e where e.org_id = ${org} and e.subject_type = 'carrier_invoice' and e.subject_id = ${id}
        and e.type in ('carrier_invoice.created', 'carrier_invoice.updated') and e.actor ->> 'id' = any(${ids}::text[])))`)
  return rows.length > 0
}
