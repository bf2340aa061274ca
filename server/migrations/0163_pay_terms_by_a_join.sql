-- A view that selects from a second table for each row cannot be sent to the node of an organization: by a join again, as in 0040.
create or replace view pay_terms_wire with (security_invoker = true) as
select t.org_id, t.id, t.revision, t.created_at, t.name, t.wire || ',"connector_mappings":' || coalesce(m.json, '{}')
  || ',"discount_days":' || coalesce(t.discount_days::text, 'null') || ',"discount_percent":' || coalesce('"' || trim_scale(t.discount_percent)::text || '"', 'null')
  || ',"revision":' || t.revision || '}' as json
from pay_terms t
left join (
  select org_id, pay_term_id, json_object_agg(connector_id,
    json_build_object('connector_id', connector_id, 'vendor_pay_term_id', vendor_pay_term_id, 'pay_term_id', pay_term_id, 'org_id', org_id) order by connector_id)::text as json
  from pay_term_connector_mappings group by org_id, pay_term_id) m on m.org_id = t.org_id and m.pay_term_id = t.id;
