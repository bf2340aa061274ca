import { type Statement, sql } from '../../../platform/db/sql/sql.ts'

/** Bills that are not found by the carrier and number that they have, as rows of org_id, what, id and fault. */
export const numberFaults: Statement = sql`
  select b.org_id, 'bill', b.id, 'is not found by its carrier and the number ' || coalesce(b.reference_number, 'that it had before')
  from bills b left join bill_numbers n on n.org_id = b.org_id and n.bill_id = b.id
  where case when b.partner_carrier_id is not null then carrier_number(b.reference_number) end is distinct from n.number or n.partner_carrier_id <> b.partner_carrier_id`
