import { type Statement, sql } from '../../platform/db/sql/sql.ts'

export function forManifest(org: string, manifests: unknown): Statement {
  return sql`b.id in (select i.credit_id from credit_items i where i.org_id = ${org} and i.manifest_id = any(${manifests}::uuid[]))`
}

export function forOrder(org: string, orders: unknown): Statement {
  return sql`b.id in (select i.credit_id from credit_items i where i.org_id = ${org} and i.order_id = any(${orders}::uuid[]))`
}
