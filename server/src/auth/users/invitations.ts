import { createHash, randomBytes } from 'node:crypto'
import { type Context, transaction } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { record } from '../../events/record.ts'
import { newIdWithin, organizationWithin } from '../organization-ids.ts'
import { systemContext } from '../organizations/actions.ts'
import { findUser, insertInvitation } from './store.ts'

const goodForDays = 7

export type Invitation = { org_id: string; organization: string; user_id: string; email: string; hasPassword: boolean }

/** The secret in an invitation's link. Only its hash is kept. */
export async function newInvitation(ctx: Context, user: string): Promise<string> {
  const token = `${newIdWithin(ctx.org)}.${randomBytes(24).toString('base64url')}`
  await insertInvitation(ctx, user, hashOf(token), goodForDays)
  return token
}

export async function findInvitation(database: Database, token: string): Promise<Invitation | null> {
  const org = organizationOf(token)
  if (!org) return null
  const [found] = await database.read<{ user_id: string; email: string; organization: string }>(
    org,
    sql`select i.user_id, p.email, o.name as organization from invitations i join people p on p.id = i.user_id join organizations o on o.org_id = i.org_id
      join users u on u.org_id = i.org_id and u.id = i.user_id
      where i.org_id = ${org} and i.token_sha256 = ${hashOf(token)} and i.expires_at > statement_timestamp() and u.disabled_at is null`,
  )
  if (!found) return null
  const [person] = await database.pool.run<{ known: boolean }>(sql`select password_hash is not null as known from people where id = ${found.user_id}`)
  return { org_id: org, ...found, hasPassword: person?.known ?? false }
}

/** Takes the invitation, once. A first password is set only where there is none. */
export async function acceptInvitation(database: Database, token: string, { user_id, org_id }: Invitation, firstPasswordHash: string | null): Promise<boolean> {
  return transaction(systemContext(database, org_id), async (ctx) => {
    const taken = await ctx.run(
      sql`delete from invitations where org_id = ${ctx.org} and token_sha256 = ${hashOf(token)} and expires_at > now() returning user_id`,
    )
    if (taken.length === 0) return false
    await ctx.run(sql`update users set joined_at = now(), revision = revision + 1, updated_at = now() where org_id = ${ctx.org} and id = ${user_id}`)
    if (firstPasswordHash) await setFirstPassword(ctx, user_id, firstPasswordHash)
    const user = await findUser(ctx, user_id)
    await record(ctx, { type: 'user.joined', subject: { type: 'user', id: user_id }, ...(user && { revision: user.revision }), data: user?.json ?? '{}' })
    return true
  })
}

/**
 * People are not the serving role's to change, so the transaction is the owner's for a moment. On a connection of its own this would wait for one
 * that others hold while they wait for this very invitation.
 */
async function setFirstPassword(ctx: Context, person: string, hash: string): Promise<void> {
  await ctx.run(sql`set local role none`)
  await ctx.run(sql`update people set password_hash = ${hash}, updated_at = now() where id = ${person} and password_hash is null`)
  await ctx.run(sql`set local role lading_app`)
}

function organizationOf(token: string): string | null {
  return organizationWithin(token.split('.')[0] ?? '')
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
