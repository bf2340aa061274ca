import { type Statement, sql } from '../../platform/db/sql/sql.ts'

/** What the manifest `m` carries, and in which unit, as `Load` has it. */
export function loadColumns(org: string): Statement {
  return sql`(select coalesce(json_agg(json_build_object('id', f.id, 'full_id', f.full_id, 'json', json_build_object('weight', f.json -> 'weight', 'weightUnit', f.json -> 'weightUnit',
      'equipmentType', f.json -> 'equipmentType')) order by r.position), '[]')
    from object_references r join objects f on f.org_id = ${org} and f.id = r.to_id and f.deleted_at is null
    where r.org_id = ${org} and r.from_id = m.id and r.field = 'orderIds') as carried,
  (select json_build_object('name', u.name, 'equipment_type', u.json ->> 'equipmentType', 'capacity', u.json -> 'capacity')
    from object_references r join objects u on u.org_id = ${org} and u.id = r.to_id and u.deleted_at is null
    where r.org_id = ${org} and r.from_id = m.id and r.field = 'equipmentId') as unit`
}
