-- contracts for code before 0031_oldest_code.sql: both constraints allow more than before, so nothing that older code writes is refused.
-- Payments that are made here go to the accounting system too. The accounts that they are paid from are mapped there; a result that is no failure can say
-- what of a payment was not sent.
alter table connection_mappings drop constraint connection_mapping_kind;
alter table connection_mappings add constraint connection_mapping_kind
  check (kind in ('bill_items', 'invoice_items', 'tax_rates', 'partner_carriers', 'customers', 'paying_accounts')) not valid;
alter table connector_sync_results drop constraint connector_sync_result_failed_for_a_reason;
alter table connector_sync_results add constraint connector_sync_result_failed_for_a_reason check (outcome <> 'failed' or error is not null) not valid;
