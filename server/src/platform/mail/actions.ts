import { type Context, transaction } from '../context.ts'
import { conflict, notFound, Refusal } from '../core/refusal.ts'
import type { WireRecord } from '../core/schema/revisions.ts'
import { mailQueued, recordMail } from './events.ts'
import type { Mail, MailStatus } from './model.ts'
import { findMail, lockMail, saveBounced, saveQueued, type VisibleMails } from './store.ts'

/** Sends the very same message once more, to all its addresses. */
export function resendMail(ctx: Context, id: string, visible: VisibleMails): Promise<WireRecord> {
  return change(ctx, id, visible, 'mail.resent', async (ctx, { status, has_secret }) => {
    if (status === 'queued') throw conflict('already_queued', 'This mail is waiting to be sent already.')
    if (has_secret)
      throw conflict(
        'content_deleted',
        'This mail held a secret, which was deleted once it was sent. Invite the user again, or ask for a new link.',
      )
    await saveQueued(ctx, id)
    ctx.afterCommit(async () => mailQueued.announce(ctx.org))
  })
}

/** What the operator’s hook for mail that came back reports. */
export function bounceMail(ctx: Context, id: string, reason: string, visible: VisibleMails): Promise<WireRecord> {
  return change(ctx, id, visible, 'mail.bounced', async (ctx, { status }) => {
    if (status === 'queued' || status === 'kept')
      throw conflict('not_sent', `This mail is ${status}, so it cannot have come back.`)
    await saveBounced(ctx, id, reason)
  })
}

/** What a delivery status notification says of a mail. One that comes twice changes nothing; a second one of another address adds to the reason. */
export function bounceByReport(ctx: Context, id: string, messageId: string, reason: string): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const before = await lockMail(ctx, id)
    const { message_id, last_error } = JSON.parse(before?.json ?? '{}') as Pick<Mail, 'message_id' | 'last_error'>
    if (!before || message_id !== messageId)
      throw new Refusal('not_found', 'unknown_mail', `No mail of this server has the Message-ID ${messageId}.`)
    // Some of its addresses are tried again still; the report stays until that has ended.
    if (before.status === 'queued')
      throw new Refusal('unavailable', 'still_queued', 'This mail is still being sent to some of its addresses.')
    if (before.status === 'kept')
      throw conflict(
        'not_sent',
        'This mail was kept in the data directory and never sent, so it cannot have come back.',
      )
    if (before.status === 'bounced' && last_error?.includes(reason)) return
    const all = before.status === 'bounced' && last_error ? `${last_error} ${reason}` : reason
    await saveBounced(ctx, id, all.slice(0, 2000))
    await recordMail(ctx, id, 'mail.bounced', { status: before.status })
  })
}

/** A mail that was just queued. */
export async function readMail(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findMail(ctx, id)
  if (!found) throw notFound('mail', id)
  return found
}

type Before = { status: MailStatus; has_secret: boolean }

function change(
  ctx: Context,
  id: string,
  visible: VisibleMails,
  type: `mail.${string}`,
  apply: (ctx: Context, before: Before) => Promise<void>,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const before = await lockMail(ctx, id, visible)
    if (!before) throw notFound('mail', id)
    await apply(ctx, before)
    await recordMail(ctx, id, type, { status: before.status })
    return (await findMail(ctx, id)) as WireRecord
  })
}
