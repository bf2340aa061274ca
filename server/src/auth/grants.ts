import { type Context, transaction } from '../context.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { organizationWithin } from './organization-ids.ts'
import { systemContext } from './organizations/actions.ts'
import { revoke } from './revocations.ts'

export type Grant = { org_id: string; user_id: string; client_id: string }

/** Notes that a user lets an application act for them in an organization. */
export async function keepGrant(database: Database, id: string, { org_id, user_id, client_id }: Grant, seconds: number): Promise<void> {
  await transaction(systemContext(database, org_id), async (ctx) => {
    await ctx.run(sql`delete from grants where org_id = ${ctx.org} and expires_at < now()`)
    await ctx.run(sql`
      insert into grants (org_id, id, user_id, client_id, expires_at)
      values (${ctx.org}, ${id}, ${user_id}, ${client_id}, now() + ${seconds} * interval '1 second')
      on conflict (org_id, id) do nothing`)
    await ctx.run(sql`update users set last_login_at = now() where org_id = ${ctx.org} and id = ${user_id}`)
  })
}

/** A grant that still holds: neither revoked nor expired, and its user not disabled. */
export async function findGrant(database: Database, id: string): Promise<Grant | undefined> {
  const org = organizationWithin(id)
  if (!org) return undefined
  const [grant] = await database.read<Grant>(
    org,
    sql`select g.org_id, g.user_id, g.client_id from grants g join users u on u.org_id = g.org_id and u.id = g.user_id
      where g.org_id = ${org} and g.id = ${id} and g.revoked_at is null and g.expires_at > statement_timestamp() and u.disabled_at is null`,
  )
  return grant
}

/** Ends a grant and every token under it: refresh tokens ask for their grant, access tokens are on the list of revocations. */
export async function revokeGrant(database: Database, id: string): Promise<void> {
  const org = organizationWithin(id)
  if (!org) return
  await transaction(systemContext(database, org), async (ctx) => {
    await ctx.run(sql`update grants set revoked_at = coalesce(revoked_at, now()) where org_id = ${ctx.org} and id = ${id}`)
    await revoke(ctx, 'grant', id)
  })
}

/** Ends everything that applications may do in a user's name in this organization. */
export async function revokeGrantsOfUser(ctx: Context, user: string): Promise<void> {
  await ctx.run(sql`update grants set revoked_at = now() where org_id = ${ctx.org} and user_id = ${user} and revoked_at is null`)
  await revoke(ctx, 'user', user)
}
