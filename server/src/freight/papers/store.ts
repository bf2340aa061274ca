import type { Organization } from '../../books/organization/model.ts'
import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql/sql.ts'

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
export async function findSurroundings(
  ctx: Context,
  objects: readonly (string | null | undefined)[],
): Promise<Surroundings> {
  const ids = objects.filter((id): id is string => typeof id === 'string')
  const [row] = await ctx.run<{
    organization: string
    logo: Buffer | null
    digits: Record<string, number>
    objects: Surroundings['objects']
  }>(sql`
    select (select json from organizations_wire where org_id = ${ctx.org}) as organization,
      (select content from organization_logos where org_id = ${ctx.org}) as logo,
      (select json_object_agg(id, minor_units) from currencies) as digits,
      (select coalesce(json_object_agg(id, json_build_object('name', name, 'json', json)), '{}') from objects
        where org_id = ${ctx.org} and id = any(${ids}::uuid[])) as objects`)
  if (!row?.organization) throw new Error(`organization ${ctx.org} is gone`)
  return { ...row, organization: JSON.parse(row.organization) }
}

export type SettledDocument = {
  id: string
  number: string | null
  reference_number: string | null
  date: string | null
  total_amount: number
}

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

export type RunPart = { bill_id: string; amount: number; taken_off: number; set_off: number }

/** What a payment of a payment run pays of each bill, what was given for early payment, and what was set off. Nothing of other payments. */
export function listRunParts(ctx: Context, payment: string): Promise<RunPart[]> {
  return ctx.run<RunPart>(sql`
    select i.bill_id, i.amount::float8 as amount, i.discount_amount::float8 as taken_off, i.set_off_amount::float8 as set_off from payment_run_items i
    where i.org_id = ${ctx.org} and i.payment_id = ${payment} order by i.bill_id`)
}

export type RunSetOff = { number: string; reference_number: string | null; amount: number }

/** What was set off in a payment of a payment run. */
export function listRunSetOffs(ctx: Context, payment: string): Promise<RunSetOff[]> {
  return ctx.run<RunSetOff>(sql`
    select coalesce(credit_number(c.number), 'PAY-' || lpad(e.number::text, greatest(6, length(e.number::text)), '0')) as number,
      coalesce(c.reference_number, e.reference_number) as reference_number, s.amount::float8 as amount
    from payment_run_set_offs s left join credits c on c.org_id = s.org_id and c.id = s.credit_id left join payments e on e.org_id = s.org_id and e.id = s.from_payment_id
    where s.org_id = ${ctx.org} and s.payment_id = ${payment} order by s.id`)
}

/** Where the advice of a payment to a carrier goes: as its payment run noted, or to whoever is paid for the carrier now, once a second person approved them. */
export async function findRemittanceAddress(ctx: Context, payment: string, carrier: string): Promise<string | null> {
  const [row] = await ctx.run<{ email: string | null }>(sql`
    select coalesce(
      (select remittance_email from payment_run_payments where org_id = ${ctx.org} and payment_id = ${payment}),
      (select d.remittance_email from payees p join payees d on d.org_id = p.org_id and d.id = coalesce(p.factor_payee_id, p.id)
        where p.org_id = ${ctx.org} and p.partner_carrier_id = ${carrier} and p.status <> 'waiting' and d.status <> 'waiting')) as email`)
  return row?.email ?? null
}

/** The address of the person who acts, where a person does: answers to what they send go there. */
export async function findReplyTo(ctx: Context): Promise<string | null> {
  if (ctx.actor.type !== 'user') return null
  const [row] = await ctx.run<{ email: string }>(
    sql`select email from users where org_id = ${ctx.org} and id::text = ${ctx.actor.id}`,
  )
  return row?.email ?? null
}
