import type { Role } from '../../platform/access/roles.ts'
import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { andChanged } from '../../platform/db/sql/changed.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../../platform/db/sql/keyset.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'
import type { User, UserSearch } from './model.ts'

export async function listUsers(ctx: Context, search: UserSearch): Promise<string> {
  const page = pageOf('users', search, keyTypesOf(newestFirst))
  const filter = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'users', search)} ${when(search.search_term, sql`and position(lower(${search.search_term}) in lower(name || chr(10) || email)) > 0`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from users_wire where ${filter})`,
      rows: sql`from users_wire where ${filter}`,
      order: newestFirst,
      page,
    }),
  )
  return envelope('users', found ?? nothingFound, page)
}

export async function findUser(ctx: Context, id: string): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(
    sql`select revision, json from users_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

export async function lockUser(ctx: Context, id: string): Promise<User | undefined> {
  const locked = await ctx.run(sql`select id from users where org_id = ${ctx.org} and id = ${id} for update`)
  const found = locked.length > 0 ? await findUser(ctx, id) : undefined
  return found && JSON.parse(found.json)
}

/** All admins who can act, locked: whoever wants to take the last one away waits here for the others who want the same. */
export function lockAdmins(ctx: Context): Promise<Admin[]> {
  return ctx.run<Admin>(sql`
    select id, email from users where org_id = ${ctx.org} and role = 'admin' and disabled_at is null and joined_at is not null order by id for update`)
}

export type Admin = { id: string; email: string }

type NewUser = { id: string; email: string; name: string; role: Role; partner_carrier_id: string | null }

export async function insertUser(ctx: Context, { id, email, name, role, partner_carrier_id }: NewUser): Promise<void> {
  await ctx
    .run(
      sql`insert into users (org_id, id, email, name, role, partner_carrier_id) values (${ctx.org}, ${id}, ${email}, ${name}, ${role}, ${partner_carrier_id})`,
    )
    .catch((error) => {
      throw violatedConstraint(error) === 'user_email_is_unique'
        ? conflict('user_exists', 'This person is a user of this organization already.')
        : error
    })
}

/** Whether this is a carrier of the organization, which stays so until the transaction ends. */
export async function holdPartnerCarrier(ctx: Context, id: string): Promise<boolean> {
  const rows = await ctx.run(
    sql`select id from objects where org_id = ${ctx.org} and id = ${id} and object_key = 'partner' and deleted_at is null for key share`,
  )
  return rows.length > 0
}

/** `left_at`, where it is another than it was: since when they can act in the organization no more, null where they can. */
export async function saveUser(
  ctx: Context,
  { id, name, role, partner_carrier_id, disabled_at, approves_since }: User,
  left_at: string | null | undefined,
): Promise<void> {
  await ctx.run(sql`
    update users set name = ${name}, role = ${role}, partner_carrier_id = ${partner_carrier_id}, disabled_at = ${disabled_at}, revision = revision + 1, updated_at = now(),
      approves_since = ${approves_since}${when(left_at !== undefined, sql`, left_at = ${left_at ?? null}`)}
    where org_id = ${ctx.org} and id = ${id}`)
}

/** The organization's name, and the user as JSON where `id` is that of one. */
export async function findSelf(
  ctx: Context,
  id: string,
): Promise<{ organization: string; user: string | null } | undefined> {
  const [row] = await ctx.run<{ organization: string; user: string | null }>(sql`
    select name as organization, (select json from users_wire where org_id = ${ctx.org} and id::text = ${id}) as user
    from organizations where org_id = ${ctx.org}`)
  return row
}

export async function findOrganizationName(ctx: Context): Promise<string> {
  const [row] = await ctx.run<{ name: string }>(sql`select name from organizations where org_id = ${ctx.org}`)
  return row?.name ?? ''
}
