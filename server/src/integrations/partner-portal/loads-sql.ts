import { type Statement, sql } from '../../platform/db/sql/sql.ts'

const pick = (json: Statement, keys: readonly string[]): Statement =>
  sql`(select jsonb_object_agg(k.key, ${json} -> k.key) from unnest(${keys}::text[]) as k(key) where ${json} ? k.key)`

/** What of a manifest tells its freight, as `Load` of freight has it; `content` are the fields of the manifest. */
export function loadOf(org: string, id: Statement, content: Statement): Statement {
  return sql`json_build_object('manifest', coalesce(${pick(content, ['start', 'startAt', 'end', 'endAt', 'distance', 'stops'])}, '{}'),
    'orders', (select coalesce(json_agg(json_build_object('id', f.id, 'full_id', f.full_id, 'json', coalesce(${pick(sql`f.json`, told)}, '{}')) order by r.position), '[]')
      from object_references r join objects f on f.org_id = ${org} and f.id = r.to_id and f.deleted_at is null
      where r.org_id = ${org} and r.from_id = ${id} and r.field = 'orderIds'),
    'unit', (select json_build_object('name', u.name, 'equipment_type', u.json ->> 'equipmentType', 'capacity', u.json -> 'capacity')
      from object_references r join objects u on u.org_id = ${org} and u.id = r.to_id and u.deleted_at is null
      where r.org_id = ${org} and r.from_id = ${id} and r.field = 'equipmentId'),
    'settings', (select json_build_object('eta_detour_factor', z.eta_detour_factor, 'eta_average_speed_kmh', z.eta_average_speed_kmh, 'time_zone', z.time_zone)
      from organizations z where z.org_id = ${org}))`
}

const told = [
  'stops',
  'pickup',
  'pickupAt',
  'pickupBy',
  'delivery',
  'deliverAt',
  'deliverBy',
  'weight',
  'weightUnit',
  'equipmentType',
]
