import { createHmac, timingSafeEqual } from 'node:crypto'
import { transaction } from '../../platform/context.ts'
import { isId } from '../../platform/core/values/ids.ts'
import type { Database } from '../../platform/db/database.ts'
import { sendMail } from '../../platform/mail/send.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { visitor } from '../../platform/security-log/visitor.ts'
import { accountName, countAttempt } from '../passwords/throttle.ts'
import { findPeopleByEmail, membershipsOf, type Owner, ownerOf } from '../people/people.ts'
import { replacePassword } from './actions.ts'

const goodForMs = 60 * 60_000

type Asked = { email: string; address: string; at: Date; authUrl: string; cookieKey: string }

/**
 * Mails a link to whoever has an account with this address. Nobody waits for it, because the time that it takes would tell whether there is one; asking often
 * is counted like failing to sign in.
 */
export async function askForReset(database: Database, { email, address, at, ...link }: Asked): Promise<void> {
  const account = accountName(email)
  await countAttempt(database.pool, { from: 'page', account: `reset ${account}`, address }, at)
  mailLinks(database, account, { at, ...link }).catch((error) =>
    visitor.getStore()?.log.error({ err: error }, 'a link to choose a new password could not be mailed'),
  )
}

/** Whose link this is. It is void an hour after it was asked for, and once the password has changed. */
export async function findByResetToken(
  database: Database,
  cookieKey: string,
  token: string,
  at: Date,
): Promise<Owner | null> {
  const [person = '', expires = '', signature = ''] = token.split('.')
  const owner = isId(person) && Number(expires) > at.getTime() ? await ownerOf(database, person) : undefined
  if (!owner) return null
  const [sent, right] = [Buffer.from(signature), Buffer.from(signatureOf(cookieKey, owner, Number(expires)))]
  return sent.length === right.length && timingSafeEqual(sent, right) ? owner : null
}

/** A new password ends every session and every grant: whoever knew the old one is out. Answers false where the link was used meanwhile. */
export async function resetPassword(database: Database, owner: Owner, password: string): Promise<boolean> {
  const changed = await replacePassword(database, owner, password, {
    summary: 'Chose a new password with a link that was mailed. All browsers and applications are signed out.',
  })
  return changed !== null
}

async function mailLinks(
  database: Database,
  account: string,
  { at, authUrl, cookieKey }: Omit<Asked, 'email' | 'address'>,
): Promise<void> {
  for (const owner of await findPeopleByEmail(database.pool, account)) {
    const [membership] = await membershipsOf(database, owner.id)
    if (!membership) continue
    const expires = at.getTime() + goodForMs
    const link = `${authUrl}/password-reset/${owner.id}.${expires}.${signatureOf(cookieKey, owner, expires)}`
    await transaction(systemContext(database, membership.org_id), (ctx) =>
      sendMail(ctx, {
        kind: 'password_reset',
        scope: 'users',
        to: [owner.email],
        subject: 'Choose a new password',
        text: `Somebody asked for a new password for ${owner.email} at ${membership.organization}.\n\nChoose one here within an hour:\n${link}\n\nIf that was not you, do nothing: your password stays as it is.\n`,
        hasSecret: true,
        record: { type: 'user', id: membership.user_id },
      }),
    )
  }
}

function signatureOf(key: string, { id, password_hash }: Owner, expires: number): string {
  return createHmac('sha256', key).update(`password reset ${id} ${expires} ${password_hash}`).digest('base64url')
}
