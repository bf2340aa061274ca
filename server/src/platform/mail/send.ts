import { actorId } from '../access/acting/acting.ts'
import type { Scope } from '../access/scopes.ts'
import { type Context, transaction } from '../context.ts'
import { newId } from '../core/values/ids.ts'
import { mailQueued, recordMail } from './events.ts'
import type { MailKind } from './model.ts'
import { insertMail } from './store.ts'

export type Attachment = { file_name: string; media_type: string; content: Buffer }

export type NewMail = {
  kind: MailKind
  /** The scope that a token needs to see it in the list of mails: that of what the mail is about. */
  scope: Scope
  to: readonly string[]
  cc?: readonly string[]
  /** Where answers go; without it to the address in MAIL_FROM. */
  reply_to?: string | null
  subject: string
  text: string
  /** The text has a secret, such as a link that lets somebody in: it is never shown, and deleted once the mail was sent. */
  hasSecret?: boolean
  /** What it is about. */
  record?: { type: string; id: string }
  attachments?: readonly Attachment[]
}

/**
 * Queues a mail in the caller's transaction: what it tells of and the mail are there together or not at all. A background job sends it after the commit, and
 * again until a server takes it. Answers its id.
 */
export function sendMail(ctx: Context, mail: NewMail): Promise<string> {
  return transaction(ctx, async (ctx) => {
    const id = newId()
    await insertMail(ctx, { ...mail, subject: oneLine(mail.subject), id, created_by: await actorId(ctx) })
    await recordMail(ctx, id, 'mail.created')
    ctx.afterCommit(async () => mailQueued.announce(ctx.org))
    return id
  })
}

/** A subject is one line of a header. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 255)
}
