-- What `search_term` looks through: the number, the reference and the payee of each document, in lower case, one line for each. Row-level security
-- keeps `like` from using any index, so a search reads these rows of its organization, which are a tenth as wide as the documents themselves.
-- The name of the partner is not copied: it is read from the partner, who may be renamed.
create table document_texts (
  org_id uuid not null constraint document_text_organization references organizations,
  kind text not null,
  id uuid not null,
  text text not null,
  partner_id uuid,
  primary key (org_id, kind, id)
);
call keep_apart('document_texts');
grant select, insert, update, delete on document_texts to lading_app;

-- The bills that are there already. Those that an older program writes after this are added by `lading recount`.
do $$
declare o record;
begin
  for o in select org_id from organizations loop
    perform set_config('app.org_id', o.org_id::text, true);
    insert into document_texts (org_id, kind, id, text, partner_id)
    select org_id, 'bill', id, lower(concat_ws(E'\n', 'BILL-' || lpad(number::text, greatest(6, length(number::text)), '0'), reference_number,
      remit_to ->> 'company_name', remit_to ->> 'contact_name')), partner_carrier_id
    from bills where org_id = o.org_id;
  end loop;
  perform set_config('app.org_id', '', true);
end $$;
