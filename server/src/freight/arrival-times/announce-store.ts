import type { Context } from '../../platform/context.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'

export type Notice = {
  customer_id: string
  name: string
  label: string | null
  emails: string[]
  orders: { id: string; number: string; reference: string | null }[]
}

/** The customers of these orders that want to be told of delays, with the addresses of their contacts, or else their own. */
export async function listNotices(ctx: Context, orderIds: readonly string[]): Promise<Notice[]> {
  return ctx.run<Notice>(sql`
    select c.id as customer_id, c.name, c.json ->> 'etaDelayNotifyLabel' as label, contacts.emails,
      json_agg(json_build_object('id', o.id, 'number', o.full_id, 'reference', o.json ->> 'referenceNumber') order by o.number) as orders
    from objects o join objects c on c.org_id = ${ctx.org} and c.id = (o.json ->> 'customerId')::uuid and c.deleted_at is null
    cross join lateral (
      select coalesce(nullif(array_agg(distinct k.json ->> 'email') filter (where k.json ->> 'email' is not null), '{}'),
        case when c.json ->> 'email' is null then '{}'::text[] else array[c.json ->> 'email'] end) as emails
      from object_references r join objects k on k.org_id = ${ctx.org} and k.id = r.from_id and k.object_key = 'contact' and k.status = 'active' and k.deleted_at is null
      where r.org_id = ${ctx.org} and r.to_id = c.id and r.field = 'customerId' and k.json -> 'notify' ? 'delay') as contacts
    where o.org_id = ${ctx.org} and o.id = any (${orderIds}::uuid[]) and o.object_key = 'order' and o.deleted_at is null
      and (c.json ->> 'etaDelayNotifyEnabled')::boolean and cardinality(contacts.emails) > 0
    group by c.id, c.name, c.json ->> 'etaDelayNotifyLabel', contacts.emails`)
}

/** The orders on a manifest. */
export async function listOrderIds(ctx: Context, manifest: string): Promise<string[]> {
  const rows = await ctx.run<{ id: string }>(
    sql`select to_id as id from object_references where org_id = ${ctx.org} and from_id = ${manifest} and field = 'orderIds' order by position`,
  )
  return rows.map(({ id }) => id)
}

/** A manifest as its events keep it. */
export function wholeManifest({ org }: Context, id: string): Statement {
  return sql`select id, revision, json from objects_wire where org_id = ${org} and id = ${id}`
}
