-- Which revision of the record here is there. By its time a change that was made while the other side answered would have been taken for one that was sent.
alter table connector_records add column revision integer;
