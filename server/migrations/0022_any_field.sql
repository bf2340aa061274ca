-- From here on everything that an object says is kept beside it, also what its definition does not name, its board and the coordinates of its
-- addresses. How a text is folded and parted into words only the program knows; so the kinds whose objects have to be taken apart anew are written
-- down here, and the program does it after the schema is up to date and before it serves. `after_id` is how far it has come.
create table object_renewals (
  org_id uuid not null,
  object_key text not null,
  after_id uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (org_id, object_key),
  constraint object_renewal_kind foreign key (org_id, object_key) references definitions
);
call keep_apart('object_renewals');
-- As with organizations: the owner of the schema looks for what is to be done, and does it in the name of each.
create policy listed_by_owner on object_renewals for select to current_user using (true);
grant select, insert, update, delete on object_renewals to lading_app;

do $$
declare o record;
begin
  for o in select org_id from organizations loop
    perform set_config('app.org_id', o.org_id::text, true);
    insert into object_renewals (org_id, object_key) select org_id, object_key from definitions where org_id = o.org_id and deleted_at is null;
  end loop;
  perform set_config('app.org_id', '', true);
end $$;

-- The number of a bill as people read it, for whoever looks for a part of it.
create function bill_number(number integer) returns text language sql immutable parallel safe as
$$ select 'BILL-' || lpad(number::text, greatest(6, length(number::text)), '0') $$;
