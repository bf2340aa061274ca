import type { Context } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/sql/sql.ts'

/**
 * The carriers among these whose payments wait: where their money goes, or that of the factoring company which is paid instead, has a change that waits for
 * a second person, or was never approved.
 */
export async function listHeld(ctx: Context, carriers: readonly string[]): Promise<string[]> {
  const rows = await ctx.run<{ name: string }>(sql`
    select distinct p.name from payees p left join payees f on f.org_id = p.org_id and f.id = p.factor_payee_id
    where p.org_id = ${ctx.org} and p.partner_carrier_id = any(${carriers}::uuid[]) and (p.status = 'waiting' or f.status = 'waiting'
      or exists (select from payee_changes c where c.org_id = ${ctx.org} and c.payee_id in (p.id, f.id) and c.status = 'waiting'))
    order by p.name`)
  return rows.map(({ name }) => name)
}
