import type { Context } from '../../platform/context.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'

type Wanted = { payee: string; from: string | null; to: string | null; currency_id: string | null }

/**
 * Locks what a payee is owed for a period and is on no statement yet: saved, sent or edited bills dated in it. What another transaction takes
 * meanwhile is left out.
 */
export async function lockUnsettled(ctx: Context, { payee, from, to, currency_id }: Wanted): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(sql`
    select id from bills where org_id = ${ctx.org} and partner_carrier_id = ${payee} and consolidated_bill_id is null and status_id in ('saved', 'sent', 'edited') and voided_at is null
      ${when(from, sql`and bill_date >= ${from}`)} ${when(to, sql`and bill_date <= ${to}`)} ${when(currency_id, sql`and currency_id = ${currency_id}`)}
    order by id for update`)
  return rows.map(({ id }) => id)
}
