import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { Refusal } from '../../../platform/core/refusal.ts'

export type ReadMessage = {
  /** The address that it comes from, in lower case; null where it has none. */
  from: string | null
  /** The same as people read it: `Lee Park <ar@cascade.example>`. */
  sender: string | null
  subject: string
  text: string
  messageId: string | null
  attachments: { name: string; type: string; bytes: Uint8Array }[]
}

/** More is no invoice. The message itself is kept, and whatever is in it. */
const mostAttachments = 50

/** Takes a mail apart. Refuses what cannot be read, and what a machine answers by itself: a notice of absence, a report that a mail was not delivered. */
export async function readMessage(bytes: Uint8Array): Promise<ReadMessage> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 50 }).catch((error) => {
    throw unreadable((error as Error).message)
  })
  if (!mail.from) throw unreadable('it has no header From')
  if (isAutomatic(mail))
    throw new Refusal(
      'invalid',
      'automatic_reply',
      'It is an automatic reply or a report of a mail server, and no invoice.',
    )
  const [from] = mailboxesIn(mail.from)
  return {
    from: from?.address ? from.address.toLowerCase() : null,
    sender: from ? plain(from.name ? `${from.name} <${from.address}>` : from.address) : null,
    subject: plain(mail.subject ?? ''),
    text: (mail.text ?? textOfHtml(mail.html ?? '')).slice(0, 200_000),
    messageId: mail.messageId ? plain(mail.messageId) : null,
    attachments: mail.attachments
      .filter((part) => !isPartOfPage(part))
      .slice(0, mostAttachments)
      .map(({ filename, mimeType, content }, index) => ({
        name: plain(filename ?? '') || `attachment-${index + 1}`,
        type: mimeType,
        bytes: bytesOf(content),
      })),
  }
}

/** Without its tags; one that has no end reaches to the end of the text, as in a browser. */
function textOfHtml(html: string): string {
  return html.replace(/<[a-z!/?][^>]*(?:>|$)/gi, ' ')
}

/** Pictures that the text shows, such as the logo of a signature. */
function isPartOfPage({ related, mimeType }: Attachment): boolean {
  return related === true && mimeType.startsWith('image/')
}

function isAutomatic({ headers }: Email): boolean {
  const header = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase() ?? ''
  return header('auto-submitted').startsWith('auto-replied') || /^multipart\/report\b/.test(header('content-type'))
}

function mailboxesIn(address: Address | undefined): { name: string; address: string }[] {
  if (!address) return []
  return address.group ?? [address]
}

function bytesOf(content: Attachment['content']): Uint8Array {
  return typeof content === 'string'
    ? Buffer.from(content)
    : content instanceof Uint8Array
      ? content
      : new Uint8Array(content)
}

/** One line of text that can be kept. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

function unreadable(why: string): Refusal {
  return new Refusal('invalid', 'unreadable_mail', `It cannot be read as a mail: ${why}.`)
}
