import type { Context } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/sql/sql.ts'

/** What is shown with a document, as it is now, each as JSON text. */
export type RelatedRecords = { pay_term: string | null; currency_info: string | null }

export async function findAround(
  ctx: Context,
  { pay_term_id, currency_id }: { pay_term_id: string | null; currency_id: string | null },
): Promise<RelatedRecords> {
  // As a list: "= null" is never true, and PostgreSQL drops the table with its organization, by which a cluster would find the node.
  const [around] = await ctx.run<RelatedRecords>(sql`
    select (select t.json from pay_terms_wire t where t.org_id = ${ctx.org} and t.id = any(${[pay_term_id]}::uuid[])) as pay_term,
      (select c.json from currencies_wire c where c.id = ${currency_id}) as currency_info`)
  return around as RelatedRecords
}
