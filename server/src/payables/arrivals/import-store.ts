import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'

/** The invoices that came with these keys. */
export function listImported(ctx: Context, keys: readonly string[]): Promise<{ source_key: string; json: string }[]> {
  return ctx.run<{ source_key: string; json: string }>(sql`
    select i.source_key, w.json from carrier_invoices i join carrier_invoices_wire w on w.org_id = i.org_id and w.id = i.id
    where i.org_id = ${ctx.org} and i.source_key = any(${keys}::text[])`)
}
