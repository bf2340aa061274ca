import type { Context } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export async function insertInvitation(ctx: Context, user: string, token_sha256: Buffer, days: number): Promise<void> {
  await ctx.run(sql`delete from invitations where org_id = ${ctx.org} and (user_id = ${user} or expires_at < now())`)
  await ctx.run(
    sql`insert into invitations (org_id, token_sha256, user_id, expires_at) values (${ctx.org}, ${token_sha256}, ${user}, now() + ${days} * interval '1 day')`,
  )
}

export type StoredInvitation = { user_id: string; email: string; organization: string }

export async function findValidInvitation(database: Database, org: string, token_sha256: Buffer): Promise<StoredInvitation | undefined> {
  const [found] = await database.read<StoredInvitation>(
    org,
    sql`select i.user_id, p.email, o.name as organization from invitations i join people p on p.id = i.user_id join organizations o on o.org_id = i.org_id
      join users u on u.org_id = i.org_id and u.id = i.user_id
      where i.org_id = ${org} and i.token_sha256 = ${token_sha256} and i.expires_at > statement_timestamp() and u.disabled_at is null`,
  )
  return found
}

export async function hasPassword({ pool }: Database, person: string): Promise<boolean> {
  const [row] = await pool.run<{ known: boolean }>(sql`select password_hash is not null as known from people where id = ${person}`)
  return row?.known ?? false
}

/** Whether it was there to be deleted: only one of many who come at once finds it. */
export async function deleteInvitation(ctx: Context, token_sha256: Buffer): Promise<boolean> {
  const deleted = await ctx.run(sql`
    delete from invitations where org_id = ${ctx.org} and token_sha256 = ${token_sha256} and expires_at > now() returning user_id`)
  return deleted.length > 0
}

export async function saveJoined(ctx: Context, user: string): Promise<void> {
  await ctx.run(sql`update users set joined_at = now(), revision = revision + 1, updated_at = now() where org_id = ${ctx.org} and id = ${user}`)
}

/**
 * People are not the serving role's to change, so the transaction is the owner's for a moment. On a connection of its own this would wait for one
 * that others hold while they wait for this very invitation.
 */
export async function saveFirstPassword(ctx: Context, person: string, hash: string): Promise<void> {
  await ctx.run(sql`set local role none`)
  await ctx.run(sql`update people set password_hash = ${hash}, updated_at = now() where id = ${person} and password_hash is null`)
  await ctx.run(sql`set local role lading_app`)
}
