import type { Context } from '../../platform/context.ts'
import { oneOf } from '../../platform/db/sql/one-of.ts'
import { sql } from '../../platform/db/sql/sql.ts'

/** Those of these rates that are there. They stay as they are until the transaction ends. */
export async function holdTaxRates(
  ctx: Context,
  ids: readonly string[],
): Promise<{ id: string; percent: string; active: boolean }[]> {
  return ctx.run(sql`
    select id, percent::text as percent, active from tax_rates where org_id = ${ctx.org} and id = ${oneOf(ids)} order by id for key share`)
}
