import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'

/**
 * Lets the connections of this transaction be idle for as long as it takes. On a cluster, a node that only had a part in its beginning, such as the copy
 * of a person, hears nothing more until its end, and would take that for a connection that was lost.
 */
export async function allowPauses({ run }: Context): Promise<void> {
  await run(sql`set local idle_in_transaction_session_timeout = 0`)
}
