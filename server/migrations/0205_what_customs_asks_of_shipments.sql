-- in lots for each organization
-- Shipments say where they were loaded and, in bond, where they go abroad, both as codes; goods say what their value is in.
update emanifests e set shipments = (
  select jsonb_agg('{"loading_port": null, "foreign_destination_port": null}'::jsonb || shipment || jsonb_build_object('commodities', (
    select coalesce(jsonb_agg('{"currency": null}'::jsonb || commodity order by place), '[]')
    from jsonb_array_elements(shipment -> 'commodities') with ordinality as goods (commodity, place))) order by number)
  from jsonb_array_elements(e.shipments) with ordinality as listed (shipment, number))
from (
  select id from emanifests
  where org_id = current_setting('app.org_id')::uuid and jsonb_path_exists(shipments, '$[*] ? (!exists (@.loading_port))') limit 1000) as older
where e.org_id = current_setting('app.org_id')::uuid and e.id = older.id
returning 1;
