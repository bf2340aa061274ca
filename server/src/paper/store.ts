import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import type { Organization } from '../organizations/model.ts'

/** What papers need to know beyond what they are made from. */
export type Surroundings = {
  organization: Organization
  logo: Buffer | null
  /** How many digits follow the point in each currency. */
  digits: Readonly<Record<string, number>>
  /** What these objects are called, and what they say of themselves. */
  objects: Readonly<Record<string, { name: string; json: Record<string, unknown> }>>
}

/** In one trip. `objects` are the parties that a paper names, also such as were deleted. */
export async function findSurroundings(ctx: Context, objects: readonly (string | null | undefined)[]): Promise<Surroundings> {
  const ids = objects.filter((id): id is string => typeof id === 'string')
  const [row] = await ctx.run<{ organization: string; logo: Buffer | null; digits: Record<string, number>; objects: Surroundings['objects'] }>(sql`
    select (select json from organizations_wire where org_id = ${ctx.org}) as organization,
      (select content from organization_logos where org_id = ${ctx.org}) as logo,
      (select json_object_agg(id, minor_units) from currencies) as digits,
      (select coalesce(json_object_agg(id, json_build_object('name', name, 'json', json)), '{}') from objects
        where org_id = ${ctx.org} and id = any(${ids}::uuid[])) as objects`)
  if (!row?.organization) throw new Error(`organization ${ctx.org} is gone`)
  return { ...row, organization: JSON.parse(row.organization) }
}

export type SettledDocument = { id: string; number: string | null; reference_number: string | null; date: string | null; total_amount: number }

/** The documents that a payment settles, as a remittance advice lists them. */
export async function listSettled(ctx: Context, ids: readonly string[]): Promise<SettledDocument[]> {
  return ctx.run<SettledDocument>(sql`
    select id, bill_number(number) as number, reference_number, wire_time(bill_date) as date, total_amount::float8 as total_amount from bills
      where org_id = ${ctx.org} and id = any(${ids}::uuid[])
    union all select id, invoice_number(number), reference_number, wire_time(invoice_date), total_amount::float8 from invoices
      where org_id = ${ctx.org} and id = any(${ids}::uuid[])
    union all select id, credit_number(number), reference_number, wire_time(credit_date), total_amount::float8 from credits
      where org_id = ${ctx.org} and id = any(${ids}::uuid[])`)
}

/** The address of the person who acts, where a person does: answers to what they send go there. */
export async function findReplyTo(ctx: Context): Promise<string | null> {
  if (ctx.actor.type !== 'user') return null
  const [row] = await ctx.run<{ email: string }>(sql`select email from users where org_id = ${ctx.org} and id::text = ${ctx.actor.id}`)
  return row?.email ?? null
}
