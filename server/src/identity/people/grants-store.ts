import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql/sql.ts'

export type Grant = { org_id: string; user_id: string; client_id: string }
/** `person_id` is who signs in as the user. */
export type ValidGrant = Grant & { person_id: string; role: string }

export async function insertGrant(
  ctx: Context,
  id: string,
  { user_id, client_id }: Grant,
  seconds: number,
): Promise<void> {
  await ctx.run(sql`delete from grants where org_id = ${ctx.org} and expires_at < now()`)
  await ctx.run(sql`
    insert into grants (org_id, id, user_id, client_id, expires_at)
    values (${ctx.org}, ${id}, ${user_id}, ${client_id}, now() + ${seconds} * interval '1 second')
    on conflict (org_id, id) do nothing`)
  await ctx.run(sql`update users set last_login_at = now() where org_id = ${ctx.org} and id = ${user_id}`)
}

/** One that still holds: neither revoked nor expired, and its user not disabled. */
export async function findValidGrant(database: Database, org: string, id: string): Promise<ValidGrant | undefined> {
  const [grant] = await database.read<ValidGrant>(
    org,
    sql`select g.org_id, g.user_id, g.client_id, u.person_id, u.role from grants g join users u on u.org_id = g.org_id and u.id = g.user_id
      where g.org_id = ${org} and g.id = ${id} and g.revoked_at is null and g.expires_at > statement_timestamp() and u.disabled_at is null`,
  )
  return grant
}

/** The grant, where it had not ended before. */
export async function endGrant(ctx: Context, id: string): Promise<Grant | undefined> {
  const [ended] = await ctx.run<Grant>(sql`
    update grants set revoked_at = now() where org_id = ${ctx.org} and id = ${id} and revoked_at is null returning org_id, user_id, client_id`)
  return ended
}

export async function endGrantsOfUser(ctx: Context, user: string): Promise<void> {
  await ctx.run(
    sql`update grants set revoked_at = now() where org_id = ${ctx.org} and user_id = ${user} and revoked_at is null`,
  )
}

/** Answers their ids. */
export async function endGrantsOfApplication(ctx: Context, user: string, client: string): Promise<string[]> {
  const ended = await ctx.run<{ id: string }>(sql`
    update grants set revoked_at = now() where org_id = ${ctx.org} and user_id = ${user} and client_id = ${client} and revoked_at is null
    returning id`)
  return ended.map(({ id }) => id)
}
