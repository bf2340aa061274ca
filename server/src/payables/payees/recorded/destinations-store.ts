import { type Context, together } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/sql/sql.ts'
import type { Destination } from './model.ts'

/** The payees of these carriers and the factoring companies of those, locked in the order of their ids against a change. */
export async function lockDestinations(ctx: Context, carriers: readonly string[]): Promise<Destination[]> {
  const own = sql`select q.id from payees q where q.org_id = ${ctx.org} and q.partner_carrier_id = any(${carriers}::uuid[])`
  const factors = sql`select q.factor_payee_id from payees q where q.org_id = ${ctx.org} and q.partner_carrier_id = any(${carriers}::uuid[]) and q.factor_payee_id is not null`
  const [, found] = await together(
    ctx.run(
      sql`select p.id from payees p where p.org_id = ${ctx.org} and (p.id in (${own}) or p.id in (${factors})) order by p.id for share`,
    ),
    ctx.run<Destination>(sql`
      select p.partner_carrier_id, d.id as payee_id, d.name, d.method, d.bank_details_sealed as sealed, d.bank_details_masked as masked, d.address, d.remittance_email,
        p.quick_pay_days, p.quick_pay_percent::text as quick_pay_percent,
        p.status = 'waiting' or d.status = 'waiting' or exists (
          select from payee_changes c where c.org_id = ${ctx.org} and c.payee_id in (p.id, d.id) and c.status = 'waiting') as is_held
      from payees p join payees d on d.org_id = p.org_id and d.id = coalesce(p.factor_payee_id, p.id)
      where p.org_id = ${ctx.org} and p.partner_carrier_id = any(${carriers}::uuid[])`),
  )
  return found
}
