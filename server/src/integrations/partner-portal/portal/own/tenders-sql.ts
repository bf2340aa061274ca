import { sql } from '../../../../platform/db/sql/sql.ts'
import { loadOf } from '../../loads-sql.ts'
import { withFreight } from './freight.ts'
import { ofRecord, type ShownRecords } from './own-sql.ts'

const state = sql`case when t.state = 'open' and t.expires_at <= statement_timestamp() then 'expired' else t.state end`
/** Of a manifest that a carrier did not get, it does not see what becomes of it. */
const concerns = sql`(t.state = 'accepted' and m.json ->> 'partnerId' = t.partner_carrier_id::text
  or (t.state = 'countered' or t.state = 'open' and t.expires_at > statement_timestamp()) and m.json ->> 'partnerId' is null)`

export const tenders: ShownRecords = {
  byLink: ofRecord,
  show(json) {
    const { manifest, ...tender } = JSON.parse(json)
    return JSON.stringify({ ...tender, manifest: manifest && withFreight(manifest) })
  },
  rows: (org) => sql`
    select t.id, t.partner_carrier_id, t.created_at, greatest(t.updated_at, case when t.state = 'open' and t.expires_at <= statement_timestamp() then t.expires_at end) as updated_at, t.revision, ${state} as state, t.manifest_id, null::uuid as bill_id,
      json_build_object('id', t.id, 'manifest_id', t.manifest_id, 'state', ${state}, 'currency_id', t.currency_id, 'rate', t.rate, 'counter_rate', t.counter_rate,
        'agreed_rate', t.agreed_rate, 'message', t.message, 'answer', t.answer, 'expires_at', wire_time(t.expires_at), 'answered_at', wire_time(t.answered_at),
        'manifest', case when ${concerns} then json_build_object('full_id', m.full_id, 'reference_number', case when t.state = 'accepted' then m.json ->> 'referenceNumber' end,
          'load', ${loadOf(org, sql`m.id`, sql`m.json`)}) end,
        'revision', t.revision, 'created_at', wire_time(t.created_at), 'updated_at', wire_time(t.updated_at))::text as json
    from tenders t join objects m on m.org_id = t.org_id and m.id = t.manifest_id and m.deleted_at is null where t.org_id = ${org}`,
}
