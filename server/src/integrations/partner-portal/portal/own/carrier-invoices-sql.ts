import { sql } from '../../../../platform/db/sql/sql.ts'
import { ofRecord, type ShownRecords } from './own-sql.ts'

const state = sql`case when i.state in ('received', 'matched') then 'received' when i.state = 'exception' then 'in_review' else i.state end`

const documentJson = sql`json_build_object('id', d.id, 'file_name', d.file_name, 'media_type', d.media_type, 'size', d.size, 'document_type', d.document_type,
  'created_at', wire_time(d.created_at))`

/** What a carrier has invoiced, however it came; with a link what came by that link. */
export const carrierInvoices: ShownRecords = {
  byLink: ({ id }) => sql`own.created_by = ${id}`,
  rows: (org) => sql`
    select i.id, i.partner_carrier_id, i.created_at, i.updated_at, i.revision, ${state} as state, null::uuid as manifest_id, i.bill_id, i.created_by,
      json_build_object('id', i.id, 'invoice_number', i.invoice_number, 'invoice_date', i.invoice_date, 'reference_number', i.reference_number, 'currency_id', i.currency_id,
        'total_amount', i.total_amount, 'state', ${state}, 'approved_amount', i.approved_amount,
        'bill_id', (select b.id from bills b where b.org_id = ${org} and b.id = i.bill_id and b.partner_carrier_id = i.partner_carrier_id and b.status_id <> 'draft' and b.voided_at is null),
        'documents', coalesce((select json_agg(${documentJson} order by d.created_at, d.id) from portal_documents p
          join document_files d on d.org_id = p.org_id and d.id = p.document_id where p.org_id = ${org} and p.carrier_invoice_id = i.id), '[]'::json),
        'created_at', wire_time(i.created_at))::text as json
    from carrier_invoices i where i.org_id = ${org}`,
}

/** Documents that the carrier itself has sent through the portal. */
export const documents: ShownRecords = {
  byLink: ofRecord,
  rows: (org) => sql`
    select d.id, p.partner_carrier_id, d.created_at, d.updated_at, d.revision, d.document_type as state, p.manifest_id, null::uuid as bill_id, ${documentJson}::text as json
    from portal_documents p join document_files d on d.org_id = p.org_id and d.id = p.document_id where p.org_id = ${org}`,
}
