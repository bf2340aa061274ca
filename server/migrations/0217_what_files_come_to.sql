-- What the files of an organization come to, and those that each carrier and each signed link has sent: written with every file, in its transaction, so that
-- none is kept beyond what may be. Of an organization `files` are its documents and `bytes` what the storage has; of a carrier its documents; of a link
-- all that was ever sent with it.
create table file_usage (
  org_id uuid not null,
  whose text not null constraint file_usage_is_of_somebody check (whose in ('organization', 'carrier', 'link')),
  whose_id uuid not null,
  files bigint not null default 0 constraint file_usage_files_is_a_count check (files >= 0),
  bytes bigint not null default 0 constraint file_usage_bytes_is_a_count check (bytes >= 0),
  primary key (org_id, whose, whose_id)
);
call keep_apart('file_usage');
alter table file_usage add constraint file_usage_organization foreign key (org_id) references organizations;
grant select, insert, update, delete on file_usage to lading_app;
