-- How often it was asked to be sent again, by hand or by a replay. What came of an attempt that was under way then says nothing of what was asked for since.
alter table webhook_deliveries add column resend_count integer not null default 0;
