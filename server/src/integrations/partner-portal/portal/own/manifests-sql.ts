import { type Statement, sql } from '../../../../platform/db/sql/sql.ts'
import { loadOf } from '../../loads-sql.ts'
import { withFreight } from './freight.ts'
import { addressOf, ofRecord, type ShownRecords } from './own-sql.ts'

const assigned = sql`o.assigned`

/** Manifests that are a carrier's, and those that are offered to it and nobody's yet. */
export const manifests: ShownRecords = {
  byLink: ofRecord,
  show(json) {
    const manifest = JSON.parse(json)
    return JSON.stringify(withFreight(manifest, manifest.relation === 'assigned'))
  },
  rows: (org) => sql`
    select o.id, o.partner_carrier_id, o.created_at, o.updated_at, o.revision, o.status as state, o.id as manifest_id, null::uuid as bill_id, ${jsonOf(org)} as json from (
      select m.id, r.to_id as partner_carrier_id, m.created_at, m.updated_at, m.version as revision, m.full_id, m.status, m.json as content, true as assigned
      from object_references r join objects m on m.org_id = r.org_id and m.id = r.from_id and m.object_key = 'manifest' and m.deleted_at is null
      where r.org_id = ${org} and r.to_key = 'partner' and r.field = 'partnerId'
      union all
      select m.id, t.partner_carrier_id, m.created_at, greatest(m.updated_at, t.updated_at) as updated_at, m.version as revision, m.full_id, m.status, m.json as content, false as assigned
      from tenders t join objects m on m.org_id = t.org_id and m.id = t.manifest_id and m.deleted_at is null and m.json ->> 'partnerId' is null
      where t.org_id = ${org} and (t.state = 'countered' or t.state = 'open' and t.expires_at > statement_timestamp())
    ) as o`,
}

/** For how long a carrier takes back what it reported. */
export const undoTime = sql`interval '10 minutes'`

const stopsOf = sql`jsonb_array_elements(case when jsonb_typeof(o.content -> 'stops') = 'array' then o.content -> 'stops' else '[]'::jsonb end) with ordinality`

/** Until when the carrier can take back the last report of a stop, where it is its own, nobody has changed it since, and no later stop was departed from. */
const undoUntil = (
  org: string,
) => sql`case when ${assigned} then (select wire_time(r.reported_at + ${undoTime}) from portal_stop_reports r
  where r.org_id = ${org} and r.manifest_id = o.id and r.stop_id::text = s.value ->> 'id' and r.partner_carrier_id = o.partner_carrier_id
    and r.report = case when s.value ->> 'departedAt' is null then 'arrival' else 'departure' end and r.at = coalesce(s.value ->> 'departedAt', s.value ->> 'arrivedAt')
    and r.reported_at > statement_timestamp() - ${undoTime}
    and not exists (select from ${stopsOf} as l(value, place) where l.place > s.place and l.value ->> 'departedAt' is not null)) end`

const stopOf = (
  org: string,
) => sql`json_build_object('id', s.value ->> 'id', 'sequence', s.value -> 'sequence', 'kind', s.value ->> 'kind', 'address', ${addressOf(sql`(s.value -> 'address')`, assigned)},
  'time_zone', s.value ->> 'timeZone', 'window_start', s.value ->> 'windowStart', 'window_end', s.value ->> 'windowEnd', 'arrived_at', case when ${assigned} then s.value ->> 'arrivedAt' end,
  'departed_at', case when ${assigned} then s.value ->> 'departedAt' end,
  'reference_numbers', case when ${assigned} and jsonb_typeof(s.value -> 'referenceNumbers') = 'array' then s.value -> 'referenceNumbers' else '[]'::jsonb end,
  'undo_until', ${undoUntil(org)})`

const jsonOf = (
  org: string,
): Statement => sql`json_build_object('id', o.id, 'full_id', o.full_id, 'reference_number', case when ${assigned} then o.content ->> 'referenceNumber' end, 'status', o.status,
  'relation', case when ${assigned} then 'assigned' else 'tendered' end,
  'driver_name', case when ${assigned} then o.content ->> 'driverName' end, 'driver_phone', case when ${assigned} then o.content ->> 'driverPhone' end,
  'stops', coalesce((select json_agg(${stopOf(org)} order by s.place)
    from ${stopsOf} as s(value, place)
    where jsonb_typeof(s.value) = 'object'), '[]'::json),
  'created_at', wire_time(o.created_at), 'load', ${loadOf(org, sql`o.id`, sql`o.content`)})::text`
