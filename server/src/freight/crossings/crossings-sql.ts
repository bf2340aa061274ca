import { type Statement, sql } from '../../platform/db/sql/sql.ts'

/** What the crossings of a manifest are told from, as columns of a statement that has it as `m`. */
export function crossingColumns(org: string, condition: Statement = sql`true`): Statement {
  return sql`
    (select coalesce(json_agg(json_build_object('id', e.id, 'border', e.border, 'stop_id', e.stop_id, 'state', e.state, 'is_accepted', e.accepted_at is not null)
      order by e.created_at desc, e.id desc), '[]') from emanifests e where e.org_id = ${org} and e.manifest_id = m.id and e.state <> 'cancelled' and ${condition}) as emanifests,
    (select coalesce(json_agg(json_build_object('stop_id', b.stop_id, 'border', b.border, 'emanifest_id', b.emanifest_id, 'flagged', b.flagged)), '[]')
      from border_crossings b where b.org_id = ${org} and b.manifest_id = m.id and ${condition}) as noted`
}

/** The same where crossings are shown: only border stops have any, and for the many manifests without one nothing is looked up. */
export function shownCrossingColumns(org: string): Statement {
  return crossingColumns(org, sql`m.json -> 'stops' @> '[{"kind": "border"}]'`)
}
