import type { Context } from '../../../platform/context.ts'
import type { Reference } from '../../../platform/core/values/ids.ts'
import { sql } from '../../../platform/db/sql/sql.ts'

/** The bill item types, with their names in lower case, the oldest of each name last. */
export async function listTypes(ctx: Context): Promise<{ id: string; name: string }[]> {
  return ctx.run<{ id: string; name: string }>(
    sql`select id, lower(name) as name from bill_item_types where org_id = ${ctx.org} order by created_at desc, id desc`,
  )
}

export type CarrierTerms = { name: string; email: string | null; pay_term_id: string | null }

/** What bills of these carriers say of them. */
export async function listCarrierTerms(
  ctx: Context,
  carriers: readonly string[],
): Promise<ReadonlyMap<string, CarrierTerms>> {
  const rows = await ctx.run<CarrierTerms & { id: string }>(sql`
    select o.id, left(o.name, 500) as name, case when length(o.json ->> 'email') <= 254 then o.json ->> 'email' end as email,
      (select t.id from pay_terms t where t.org_id = ${ctx.org} and lower(t.name) = lower(o.json ->> 'payTerm')) as pay_term_id
    from objects o where o.org_id = ${ctx.org} and o.id = any(${[...new Set(carriers)]}::uuid[]) and o.deleted_at is null`)
  return new Map(rows.map(({ id, ...terms }) => [id, terms]))
}

/** Locks the invoice that a bill was made from, if there is one. */
export async function lockBilledBy(ctx: Context, reference: Reference): Promise<string | undefined> {
  const which =
    reference.by === 'id'
      ? sql`b.id = ${reference.id}`
      : reference.by === 'number'
        ? sql`b.number = ${reference.number}`
        : sql`b.external_id = ${reference.external_id}`
  const [row] = await ctx.run<{ id: string }>(
    sql`select i.id from carrier_invoices i where i.org_id = ${ctx.org} and i.bill_id = (select b.id from bills b where b.org_id = ${ctx.org} and ${which}) for update`,
  )
  return row?.id
}

export async function findBilledBy(ctx: Context, bill: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ id: string }>(
    sql`select id from carrier_invoices where org_id = ${ctx.org} and bill_id = ${bill}`,
  )
  return row?.id
}

/** Those of these bills that were made from carrier invoices. */
export async function listMadeFromInvoices(ctx: Context, bills: readonly string[]): Promise<ReadonlySet<string>> {
  if (bills.length === 0) return new Set()
  const rows = await ctx.run<{ bill_id: string }>(
    sql`select bill_id from carrier_invoices where org_id = ${ctx.org} and bill_id = any(${bills}::uuid[])`,
  )
  return new Set(rows.map(({ bill_id }) => bill_id))
}
