-- Whether an attempt to hand it over ended without an answer that says that it was not taken: customs may have it, whatever a later attempt was told.
alter table emanifest_filings add column may_have_arrived boolean not null default false;
grant update (may_have_arrived) on emanifest_filings to lading_app;
