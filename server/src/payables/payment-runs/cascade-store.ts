import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'

export type AffectedPayment = {
  run_id: string
  payment_id: string
  partner_carrier_id: string
  payee_id: string
  status: string
}

/** The payments of runs that are not issued which go to this payee, or to carriers whose payee it is. */
export function listAffected(ctx: Context, payee: string): Promise<AffectedPayment[]> {
  return ctx.run<AffectedPayment>(sql`
    select p.run_id, p.payment_id, m.partner_carrier_id, p.payee_id, r.status
    from payment_run_payments p join payment_runs r on r.org_id = p.org_id and r.id = p.run_id join payments m on m.org_id = p.org_id and m.id = p.payment_id
    where p.org_id = ${ctx.org} and r.status <> 'issued' and (p.payee_id = ${payee}
      or m.partner_carrier_id = (select q.partner_carrier_id from payees q where q.org_id = ${ctx.org} and q.id = ${payee}))
    order by p.run_id, p.payment_id`)
}

export async function lockRuns(ctx: Context, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await ctx.run<{ id: string }>(
    sql`select id from payment_runs where org_id = ${ctx.org} and id = any(${ids}::uuid[]) order by id for update`,
  )
  return rows.map(({ id }) => id)
}
