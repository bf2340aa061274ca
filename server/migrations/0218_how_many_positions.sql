-- How many positions were recorded of a manifest since this is counted: it can have so many and no more. Whoever records some has the row locked.
alter table tracking add column positions_recorded integer not null default 0;
