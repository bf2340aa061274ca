import { type Statement, sql } from '../../platform/db/sql/sql.ts'

/** Bills that pay one of these manifests. Each way by an index of its own: one `or` across tables would read every bill of the organization. */
export function paysOneOf(org: string, manifests: unknown): Statement {
  return sql`b.id in (
    select t.id from bills t where t.org_id = ${org} and t.master_trip_id = any(${manifests}::uuid[])
    union all select i.bill_id from bill_items i where i.org_id = ${org} and i.manifest_id = any(${manifests}::uuid[])
    union all select i.bill_id from bill_items i where i.org_id = ${org} and i.manifest_payment_item_id = any(${manifests}::uuid[]))`
}
