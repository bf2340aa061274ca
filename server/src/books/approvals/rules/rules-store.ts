import type { Context } from '../../../platform/context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
import { andWithin } from '../../../platform/db/sql/changed.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../../platform/db/sql/keyset.ts'
import { sql, when } from '../../../platform/db/sql/sql.ts'
import type { ApprovalDelegation, ApprovalDelegationSearch } from './model.ts'

/** The roles of those of these users who are there and enabled. */
export async function listRoles(ctx: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.run<{ id: string; role: string }>(
    sql`select id, role from users where org_id = ${ctx.org} and id = any(${ids}::uuid[]) and disabled_at is null`,
  )
  return new Map(rows.map(({ id, role }) => [id, role]))
}

export async function listDelegations(ctx: Context, search: ApprovalDelegationSearch): Promise<string> {
  const page = pageOf('approval_delegations', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org} ${andWithin(search, sql`created_at`)} ${when(search.current, sql`and ends_at > statement_timestamp()`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from approval_delegations where ${filter})`,
      rows: sql`from approval_delegations_wire where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('approval_delegations', found ?? nothingFound, page)
}

export async function findDelegation(ctx: Context, id: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(
    sql`select revision, json from approval_delegations_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

type NewDelegation = Pick<
  ApprovalDelegation,
  'id' | 'from_user_id' | 'to_user_id' | 'starts_at' | 'ends_at' | 'created_by'
>

export async function insertDelegation(ctx: Context, delegation: NewDelegation): Promise<void> {
  const { id, from_user_id, to_user_id, starts_at, ends_at, created_by } = delegation
  await ctx.run(sql`insert into approval_delegations (org_id, id, from_user_id, to_user_id, starts_at, ends_at, created_by)
    values (${ctx.org}, ${id}, ${from_user_id}, ${to_user_id}, ${starts_at}, ${ends_at}, ${created_by})`)
}

export async function deleteDelegation(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from approval_delegations where org_id = ${ctx.org} and id = ${id}`)
}
