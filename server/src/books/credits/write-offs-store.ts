import type { Context } from '../../platform/context.ts'
import { oneOf } from '../../platform/db/sql/one-of.ts'
import { sql } from '../../platform/db/sql/sql.ts'

export type WriteOffLink = { credit_id: string; invoice_id: string }

/** Which of these credits write off an invoice, and which invoice. That never changes once a credit is there. */
export function listWriteOffs(ctx: Context, credits: readonly string[]): Promise<WriteOffLink[]> {
  return ctx.run<WriteOffLink>(
    sql`select w.credit_id, w.invoice_id from write_offs w where w.org_id = ${ctx.org} and w.credit_id = ${oneOf(credits)} order by w.credit_id`,
  )
}
