import { type Statement, sql } from '../../platform/db/sql/sql.ts'

/** Invoices with a line for one of these orders. */
export function chargesForOneOf(org: string, orders: unknown): Statement {
  return sql`b.id in (select i.invoice_id from invoice_items i where i.org_id = ${org} and i.order_id = any(${orders}::uuid[]))`
}
