import { createHash } from 'node:crypto'
import type { StoredAttachment } from './store.ts'

/** What of a mail is in its message. */
export type Parts = {
  id: string
  organization: string
  to_addresses: readonly string[]
  cc_addresses: readonly string[]
  reply_to: string | null
  subject: string
  body_text: string | null
  created_at: Date
}

/** The message of a mail by RFC 5322: the same bytes each time, so that what is shown, kept and sent is one and the same. */
export async function composeMessage(
  mail: Parts,
  attachments: readonly StoredAttachment[],
  from: string,
): Promise<Buffer> {
  // Loaded with the first mail: it takes a few megabytes, and many processes never write one.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const { to_addresses, cc_addresses, reply_to, subject, body_text, organization } = mail
  const composed = new MailComposer({
    // Who writes is the organization; the address is that of the installation, from which its mail server may send.
    from: { name: organization, address: from },
    to: [...to_addresses],
    cc: [...cc_addresses],
    ...(reply_to !== null && { replyTo: reply_to }),
    subject,
    text: body_text ?? '',
    date: mail.created_at,
    messageId: messageIdOf(mail.id, from),
    headers: { 'Auto-Submitted': 'auto-generated' },
    baseBoundary: createHash('sha256').update(mail.id).digest('hex').slice(0, 32),
    attachments: attachments.map(({ file_name, media_type, content }) => ({
      filename: file_name,
      contentType: media_type,
      content,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  })
  return composed.compile().build()
}

/** Servers that get a mail twice know it by this. */
export function messageIdOf(id: string, from: string): string {
  return `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`
}
