import type { Context } from '../context.ts'
import { conflict } from '../core/refusal.ts'
import { violated } from '../db/constraints.ts'
import { sql } from '../db/sql.ts'
import type { Fields } from '../objects/model/object.ts'
import type { Circumstances } from './model.ts'

/** What a bill needs to know beyond the manifest, in one statement. Of two item types with the same name the older is meant. */
export async function findCircumstances(ctx: Context, { partnerId, payTerm }: Fields, types: readonly string[]): Promise<Circumstances> {
  const [row] = await ctx.run<Circumstances>(sql`
    with partner as (select name, json from objects where org_id = ${ctx.org} and id = ${partnerId ?? null}::uuid and deleted_at is null)
    select (select json_build_object('name', name, 'json', json) from partner) as partner,
      (select coalesce(json_agg(json_build_object('id', id, 'name', lower(name)) order by created_at, id), '[]') from bill_item_types
        where org_id = ${ctx.org} and (lower(name) = any (select lower(t) from unnest(${types}::text[]) as t) or id::text = any (select lower(t) from unnest(${types}::text[]) as t))) as types,
      (select id from pay_terms where org_id = ${ctx.org} and lower(name) = lower(coalesce(${payTerm ?? null}::text, (select json ->> 'payTerm' from partner)))) as pay_term_id`)
  return row as Circumstances
}

/** The bills of these manifests. */
export async function listBills(ctx: Context, manifests: readonly string[]): Promise<{ manifest_id: string; bill_id: string }[]> {
  if (manifests.length === 0) return []
  return ctx.run(sql`select manifest_id, bill_id from manifest_bills where org_id = ${ctx.org} and manifest_id = any (${manifests}::uuid[])`)
}

export async function deleteManifestBill(ctx: Context, manifest: string): Promise<void> {
  await ctx.run(sql`delete from manifest_bills where org_id = ${ctx.org} and manifest_id = ${manifest}`)
}

export async function insertManifestBill(ctx: Context, manifest: string, bill: string): Promise<void> {
  await ctx.run(sql`insert into manifest_bills (org_id, manifest_id, bill_id) values (${ctx.org}, ${manifest}, ${bill})`).catch((error) => {
    if (violated(error) === 'manifest_is_billed_once') throw conflict('billed', 'This manifest was billed at the same moment. Read it again.')
    throw error
  })
}
