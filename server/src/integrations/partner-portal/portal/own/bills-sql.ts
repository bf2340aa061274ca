import { type Statement, sql } from '../../../../platform/db/sql/sql.ts'
import { ofRecord, type ShownRecords } from './own-sql.ts'

const state = sql`case when b.status_id = 'paid' then 'paid' when b.approval_status = 'pending' then 'in_review' when b.approval_status = 'rejected' then 'rejected' else 'approved' end`

/** Bills as their carrier sees them: neither drafts nor voided ones. */
export const bills: ShownRecords = {
  byLink: ofRecord,
  rows: (org) => sql`
    select b.id, b.partner_carrier_id, b.created_at, b.updated_at, b.revision, ${state} as state, null::uuid as manifest_id, b.id as bill_id,
      json_build_object('id', b.id, 'number', bill_number(b.number), 'reference_number', b.reference_number, 'state', ${state}, 'bill_date', wire_time(b.bill_date),
        'due_date', wire_time(b.due_date), 'expected_pay_date', ${expected(org)}, 'paid_at', wire_time(b.paid_at), 'currency_id', b.currency_id,
        'sub_total_amount', b.sub_total_amount, 'tax_amount', b.tax_amount, 'total_amount', b.total_amount, 'amount_paid', coalesce(b.amount_paid, 0),
        'amount_due', b.total_amount - coalesce(b.amount_paid, 0),
        'lines', coalesce((select json_agg(json_build_object('description', i.description, 'quantity', i.quantity, 'unit_price', i.unit_price, 'total_amount', i.total_amount)
          order by i.position) from bill_items i where i.org_id = ${org} and i.bill_id = b.id), '[]'::json),
        'created_at', wire_time(b.created_at))::text as json
    from bills b where b.org_id = ${org} and b.partner_carrier_id is not null and b.status_id <> 'draft' and b.voided_at is null`,
}

/** The day of the approved payment run that pays it, else the day on which it is due; nothing is expected of what is not approved. */
const expected = (
  org: string,
): Statement => sql`case when b.status_id <> 'paid' and b.approval_status not in ('pending', 'rejected') then coalesce((
    select min(r.pay_on) from payments p join payment_runs r on r.org_id = p.org_id and r.id = p.payment_run_id and r.status = 'approved'
    where p.org_id = ${org} and p.partner_carrier_id = b.partner_carrier_id and p.status = 'draft'
      and p.planned_allocations @> jsonb_build_array(jsonb_build_object('bill_id', b.id))),
  day_of(b.due_date, (select z.time_zone from organizations z where z.org_id = ${org}))) end`

/** What was said about a bill. Of the organization's people the carrier sees the organization. */
export const questions: ShownRecords = {
  byLink: ofRecord,
  rows: (org) => sql`
    select q.id, q.partner_carrier_id, q.created_at, q.updated_at, q.revision, q.state, null::uuid as manifest_id, q.bill_id,
      json_build_object('id', q.id, 'bill_id', q.bill_id, 'state', q.state, 'messages', (
        select json_agg(json_build_object('side', m.side, 'author_name', case when m.side = 'partner' then m.author_name else own.name end, 'text', m.text,
          'created_at', wire_time(m.created_at)) order by m.place)
        from bill_question_messages m where m.org_id = ${org} and m.question_id = q.id))::text as json
    from bill_questions q join organizations own on own.org_id = q.org_id where q.org_id = ${org}`,
}
