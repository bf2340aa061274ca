import type { Context } from '../../platform/context.ts'
import { named, sql } from '../../platform/db/sql/sql.ts'

/**
 * Lets the connections of this transaction be idle for as long as it takes. On a cluster, a node that only had a part in its beginning, such as the copy
 * of a person, hears nothing more until its end, and would take that for a connection that was lost.
 */
export async function allowPauses({ run }: Context): Promise<void> {
  await run(sql`set local idle_in_transaction_session_timeout = 0`)
}

/** Records whose own date says when they were made, and none in the future: by table the column of that date. */
const dated = { payments: 'paid_at', consolidated_bills: 'bill_date', carrier_invoices: 'invoice_date' } as const

/** Has them say that they were made on their date, in the afternoon. What happened to them since is recorded as it was, now. */
export async function dateRecords({ run, org }: Context, oldest: Date): Promise<void> {
  for (const [table, date] of Object.entries(dated))
    await run(sql`
      update ${named(table)} set created_at = least(greatest(date_trunc('day', coalesce(${named(date)}, created_at)) + interval '14 hours', ${oldest}::timestamptz), created_at)
      where org_id = ${org}`)
}
