import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { lastEventUpTo } from '../../events/as-of-sql.ts'
import type { Kind } from './model/kind.ts'

/** A document by its last event, and what is shown with it, each as JSON text. */
export type Stood = { type: string; data: string; pay_term: string | null; currency_info: string | null }

/** As the document stood at a moment. Its pay term is shown as it stood then, too; one from before there were events, as it is now. */
export async function findStood(ctx: Context, { noun }: Kind, id: string, at: Date): Promise<Stood | undefined> {
  const term = sql`(d.data ->> 'pay_term_id')::uuid`
  const [stood] = await ctx.run<Stood>(sql`
    select d.type, d.data::text as data,
      coalesce((select t.data::text from (${lastEventUpTo(ctx.org, { type: 'pay_term', id: term, at })}) t),
        (select t.json from pay_terms_wire t where t.org_id = ${ctx.org} and t.id = ${term})) as pay_term,
      (select c.json from currencies_wire c where c.id = d.data ->> 'currency_id') as currency_info
    from (${lastEventUpTo(ctx.org, { type: noun, id: sql`${id}::uuid`, at })}) d`)
  return stood
}
