import { type Statement, sql } from '../../../../platform/db/sql/sql.ts'
import type { Partner } from './who.ts'

/**
 * What the portal shows of a table, as rows with the columns `id`, `partner_carrier_id`, `created_at`, `revision`, `state`, `manifest_id`, `bill_id` and
 * `json`. Whose they are is asked in one place, own-store.ts, and nowhere else; what `json` has is all that a carrier gets to see.
 */
export type ShownRecords = {
  readonly rows: (org: string) => Statement
  /** Which of them a link reaches. */
  readonly byLink: (link: NonNullable<Partner['link']>) => Statement
  /** What is shown of a row, where the program has something to work out of its `json` first. */
  readonly show?: (json: string) => string
}

/** Keeps those of the record that the link opens. */
export const ofRecord: ShownRecords['byLink'] = ({ manifest, bill }) =>
  sql`(own.manifest_id = ${manifest}::uuid or own.bill_id = ${bill}::uuid)`

/** An address; before a carrier has the freight only where about it is. */
export function addressOf(address: Statement, whole: Statement): Statement {
  return sql`case when jsonb_typeof(${address}) = 'object' then json_build_object(
    'company_name', case when ${whole} then ${address} ->> 'companyName' end, 'contact_name', case when ${whole} then ${address} ->> 'contactName' end,
    'address_1', case when ${whole} then ${address} ->> 'address1' end, 'address_2', case when ${whole} then ${address} ->> 'address2' end,
    'city', ${address} ->> 'city', 'state', ${address} ->> 'state', 'postal', ${address} ->> 'postal', 'country', ${address} ->> 'country') end`
}
