import { approvingRoles } from '../../platform/access/roles.ts'
import type { Context } from '../../platform/context.ts'
import { newId } from '../../platform/core/values/ids.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Pool } from '../../platform/db/pool/connect.ts'
import { sql } from '../../platform/db/sql/sql.ts'

export async function insertInvitation(ctx: Context, user: string, token_sha256: Buffer, days: number): Promise<void> {
  await ctx.run(
    sql`insert into invitations (org_id, token_sha256, user_id, expires_at) values (${ctx.org}, ${token_sha256}, ${user}, now() + ${days} * interval '1 day')`,
  )
}

export async function insertFirstPassword(
  ctx: Context,
  user: string,
  password_hash: string,
  days: number,
): Promise<void> {
  const id = newId()
  await ctx.run(
    sql`insert into first_passwords (org_id, user_id, id, password_hash, expires_at) values (${ctx.org}, ${user}, ${id}, ${password_hash}, now() + ${days} * interval '1 day')`,
  )
  await ctx.run(
    sql`insert into given_passwords (org_id, id, user_id, password_hash) values (${ctx.org}, ${id}, ${user}, ${password_hash})`,
  )
}

/** The link and the first password of a user, and those of others that have expired. */
export async function deleteWaysIn(ctx: Context, user: string): Promise<void> {
  await ctx.run(sql`delete from invitations where org_id = ${ctx.org} and (user_id = ${user} or expires_at < now())`)
  await ctx.run(
    sql`delete from first_passwords where org_id = ${ctx.org} and (user_id = ${user} or expires_at < now())`,
  )
}

export type InvitedUser = { org_id: string; organization: string; user_id: string; name: string; email: string }

export async function findValidInvitation(
  database: Database,
  org: string,
  token_sha256: Buffer,
): Promise<InvitedUser | undefined> {
  const [found] = await database.read<InvitedUser>(
    org,
    sql`select i.org_id, o.name as organization, i.user_id, u.name, u.email from invitations i join organizations o on o.org_id = i.org_id
      join users u on u.org_id = i.org_id and u.id = i.user_id
      where i.org_id = ${org} and i.token_sha256 = ${token_sha256} and i.expires_at > statement_timestamp() and u.disabled_at is null and u.joined_at is null`,
  )
  return found
}

/** Whether it was there to be deleted: only one of many who come at once finds it. */
export async function deleteInvitation(ctx: Context, token_sha256: Buffer): Promise<boolean> {
  const deleted = await ctx.run(sql`
    delete from invitations where org_id = ${ctx.org} and token_sha256 = ${token_sha256} and expires_at > now() returning user_id`)
  return deleted.length > 0
}

/** Deletes a first password in the same way. */
export async function deleteFirstPassword(ctx: Context, user: string, id: string): Promise<boolean> {
  const deleted = await ctx.run(sql`
    delete from first_passwords where org_id = ${ctx.org} and user_id = ${user} and id = ${id} and expires_at > now() returning user_id`)
  return deleted.length > 0
}

/** Named as the user is, unless somebody has that name already, so that the person of one organization is known by one id everywhere. */
export async function insertPerson(ctx: Context, user: string, email: string, password_hash: string): Promise<string> {
  const [taken] = await ctx.run(sql`select id from people where id = ${user}`)
  const id = taken ? newId() : user
  await ctx.run(sql`insert into people (id, email, password_hash) values (${id}, ${email}, ${password_hash})`)
  return id
}

export async function saveJoined(ctx: Context, user: string, person: string): Promise<void> {
  await ctx.run(sql`
    update users set joined_at = now(), person_id = ${person}, revision = revision + 1, updated_at = now() where org_id = ${ctx.org} and id = ${user} and joined_at is null`)
  await ctx.run(sql`
    update users set approves_since = now() where org_id = ${ctx.org} and id = ${user} and disabled_at is null and role = any(${approvingRoles}::text[])`)
}

/** Among those in which the person is a user, for when not all users can be asked. */
export async function saveOrganization({ run }: Pool, person: string, org: string): Promise<void> {
  await run(
    sql`update people set org_ids = array_append(org_ids, ${org}::uuid) where id = ${person} and not org_ids @> array[${org}::uuid]`,
  )
}
