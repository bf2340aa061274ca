import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import type { Content } from './model.ts'

export async function findDays(ctx: Context, id: string): Promise<number | undefined> {
  const [row] = await ctx.run<{ days: number }>(
    sql`select number_of_days as days from pay_terms where org_id = ${ctx.org} and id = ${id}`,
  )
  return row?.days
}

export async function replaceMappings(
  ctx: Context,
  id: string,
  mappings: Content['connector_mappings'],
): Promise<void> {
  const terms = Object.values(mappings).map(({ vendor_pay_term_id }) => vendor_pay_term_id)
  await ctx.run(sql`delete from pay_term_connector_mappings where org_id = ${ctx.org} and pay_term_id = ${id}`)
  await ctx.run(sql`
    insert into pay_term_connector_mappings (org_id, pay_term_id, connector_id, vendor_pay_term_id)
    select own.org_id, ${id}::uuid, connector, term
    from organizations own cross join unnest(${Object.keys(mappings)}::text[], ${terms}::text[]) as m(connector, term) where own.org_id = ${ctx.org}`)
}
