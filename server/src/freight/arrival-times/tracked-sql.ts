import { sql } from '../../platform/db/sql/sql.ts'

/**
 * What an estimate is made from, of the manifest `m`, its `tracking t`, its `last_positions lp` and the organization `own`; the two in the middle may be missing.
 */
export const trackedColumns = sql`
  m.json -> 'stops' as stops, case when lp.object_id is not null then json_build_object('at', wire_time(lp.at), 'latitude', lp.latitude, 'longitude', lp.longitude, 'speed_kmh', lp.speed_kmh,
    'heading', lp.heading, 'source', lp.source, 'place', lp.place) end as last_position,
  t.notified_delay_minutes, json_build_object('eta_detour_factor', own.eta_detour_factor, 'eta_average_speed_kmh', own.eta_average_speed_kmh,
    'eta_delay_limit_minutes', own.eta_delay_limit_minutes, 'time_zone', own.time_zone) as settings,
  case when t.routed_at is not null then json_build_object('factor', t.route_factor, 'speed_kmh', t.route_speed_kmh, 'at', wire_time(t.routed_at)) end as route`
