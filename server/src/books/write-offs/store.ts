import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'

export async function insertWriteOff(ctx: Context, credit: string, invoice: string): Promise<void> {
  await ctx.run(sql`insert into write_offs (org_id, credit_id, invoice_id) values (${ctx.org}, ${credit}, ${invoice})`)
}

/** What the credit is applied to by a write-off of this invoice, while it counts; undefined where it is no such write-off. */
export async function findWriteOff(ctx: Context, credit: string, invoice: string): Promise<string[] | undefined> {
  const [row] = await ctx.run<{ allocations: string[] }>(sql`
    select coalesce((select json_agg(a.id) from allocations a where a.org_id = ${ctx.org} and a.from_credit_id = w.credit_id and a.ended_at is null), '[]') as allocations
    from write_offs w where w.org_id = ${ctx.org} and w.credit_id = ${credit} and w.invoice_id = ${invoice}`)
  return row?.allocations
}

/** The oldest type by this name. */
export async function findTypeNamed(ctx: Context, name: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ id: string }>(
    sql`select t.id from bill_item_types t where t.org_id = ${ctx.org} and t.name_key = lower(${name}::text) order by t.created_at, t.id limit 1`,
  )
  return row?.id
}

/** Whoever makes the first type waits here for the one who is making it. */
export async function lockMaking(ctx: Context): Promise<void> {
  await ctx.run(sql`select o.org_id from organizations o where o.org_id = ${ctx.org} for no key update`)
}
