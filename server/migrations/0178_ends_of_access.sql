-- How often all access of a person was ended. Signing in before that counts no more, even where it is not finished yet.
alter table people add column access_ends integer not null default 0;
-- A cluster writes out every column of a row that is inserted.
grant insert (access_ends) on people to lading_app;
