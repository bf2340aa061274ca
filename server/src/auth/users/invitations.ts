import { createHash, randomBytes } from 'node:crypto'
import { type Context, transaction } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { record } from '../../events/record.ts'
import { newIdWithin, organizationWithin } from '../organization-ids.ts'
import { systemContext } from '../organizations/actions.ts'
import { deleteInvitation, findValidInvitation, hasPassword, insertInvitation, saveFirstPassword, saveJoined } from './invitations-store.ts'
import { findUser } from './store.ts'

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
  const found = await findValidInvitation(database, org, hashOf(token))
  return found ? { org_id: org, ...found, hasPassword: await hasPassword(database, found.user_id) } : null
}

/** Takes the invitation, once. A first password is set only where there is none. */
export async function acceptInvitation(database: Database, token: string, { user_id, org_id }: Invitation, firstPasswordHash: string | null): Promise<boolean> {
  return transaction(systemContext(database, org_id), async (ctx) => {
    if (!(await deleteInvitation(ctx, hashOf(token)))) return false
    await saveJoined(ctx, user_id)
    if (firstPasswordHash) await saveFirstPassword(ctx, user_id, firstPasswordHash)
    const user = await findUser(ctx, user_id)
    await record(ctx, { type: 'user.joined', subject: { type: 'user', id: user_id }, ...(user && { revision: user.revision }), data: user?.json ?? '{}' })
    return true
  })
}

function organizationOf(token: string): string | null {
  return organizationWithin(token.split('.')[0] ?? '')
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
