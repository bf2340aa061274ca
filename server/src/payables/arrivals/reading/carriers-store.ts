import type { Context } from '../../../platform/context.ts'
import { type Statement, sql } from '../../../platform/db/sql/sql.ts'
import type { KnownType } from './charge-types.ts'

export type KnownCarrier = { id: string; name: string; currency: string | null; key: string }

/** Carriers by the address of their own or of a contact of theirs, in lower case. */
export async function listCarriersByEmail(ctx: Context, emails: readonly string[]): Promise<KnownCarrier[]> {
  const { org } = ctx
  return read(
    ctx,
    sql`${withValue(org, 'partner', 'email', emails)}
      union select r.to_id, v.folded_value from object_values v
        join object_references r on r.org_id = ${org} and r.from_id = v.object_id and r.field = 'partnerId' and r.to_key = 'partner'
        where v.org_id = ${org} and v.object_key = 'contact' and v.field = 'email' and v.text_value is not null and v.folded_value = any(${emails}::text[])`,
  )
}

/** Carriers by their SCAC, or by an external id that is the SCAC; in lower case. */
export async function listCarriersByScac(ctx: Context, scacs: readonly string[]): Promise<KnownCarrier[]> {
  const { org } = ctx
  return read(
    ctx,
    sql`${withValue(org, 'partner', 'scac', scacs)} union ${withValue(org, 'partner', 'externalId', scacs)}`,
  )
}

/** Carriers by whatever a person may call one: id, external id, SCAC or name; in lower case. */
export async function listCarriersByAnyName(
  ctx: Context,
  names: readonly string[],
  ids: readonly string[],
): Promise<KnownCarrier[]> {
  const { org } = ctx
  return read(
    ctx,
    sql`${withValue(org, 'partner', 'name', names)} union ${withValue(org, 'partner', 'externalId', names)} union ${withValue(org, 'partner', 'scac', names)}
      union select o.id, o.id::text from objects o where o.org_id = ${org} and o.id = any(${ids}::uuid[])`,
  )
}

/** Objects of a kind with one of these values in a field, as upper and lower case make no difference. */
function withValue(org: string, objectKey: string, field: string, values: readonly string[]): Statement {
  return sql`select v.object_id as id, v.folded_value as key from object_values v
    where v.org_id = ${org} and v.object_key = ${objectKey} and v.field = ${field} and v.text_value is not null and v.folded_value = any(${values}::text[])`
}

function read(ctx: Context, found: Statement): Promise<KnownCarrier[]> {
  return ctx.run<KnownCarrier>(sql`
    select distinct o.id, o.name, lower(o.json ->> 'currency') as currency, f.key from (${found}) as f(id, key)
    join objects o on o.org_id = ${ctx.org} and o.id = f.id where o.object_key = 'partner' and o.deleted_at is null`)
}

/** The currency of the organization; null where it has not said. */
export async function findHomeCurrency(ctx: Context): Promise<string | null> {
  const [row] = await ctx.run<{ home_currency_id: string | null }>(
    sql`select home_currency_id from organizations where org_id = ${ctx.org}`,
  )
  return row?.home_currency_id ?? null
}

/** The bill item types, the oldest first. */
export function listKnownTypes(ctx: Context): Promise<KnownType[]> {
  return ctx.run<KnownType>(
    sql`select name, external_id from bill_item_types where org_id = ${ctx.org} order by created_at, id`,
  )
}
