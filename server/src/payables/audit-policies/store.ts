import type { Context } from '../../platform/context.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'
import type { Rule } from './model.ts'

/** Every policy of the organization: there are few. */
export async function listAll(ctx: Context): Promise<Rule[]> {
  const rows = await ctx.run<{ json: string }>(sql`select json from audit_policies_wire where org_id = ${ctx.org}`)
  return rows.map(({ json }) => JSON.parse(json))
}

export type PastInvoice = {
  partner_carrier_id: string | null
  currency_id: string
  total_amount: number
  comparison: unknown
}

/** The audited invoices of the last days behind one of them, in the order of their ids. */
export async function listPast(
  ctx: Context,
  days: number,
  after: string | null,
  limit: number,
): Promise<(PastInvoice & { id: string })[]> {
  return ctx.run<PastInvoice & { id: string }>(sql`
    select id, partner_carrier_id, currency_id, total_amount::float8 as total_amount, comparison from carrier_invoices
    where org_id = ${ctx.org} and created_at >= statement_timestamp() - make_interval(days => ${days}::int) and audited_at is not null and manifest_ids <> '{}'
      ${when(after, sql`and id > ${after}`)} order by id limit ${limit}`)
}
