import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { Refusal } from '../core/refusal.ts'
import { readId } from '../core/values/ids.ts'

/** What a delivery status notification (RFC 3464) says: which mail it is about, and for whom it could not be delivered. */
export type Report = { id: string; message_id: string; failed: { address: string; reason: string }[] }

const statusTypes = ['message/delivery-status', 'message/global-delivery-status']
/** What of the mail itself comes back with it: all of it, or its headers. */
const returnedTypes = ['message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers']

/** Refuses what is no such report, and one that does not say which mail it is about. */
export async function readReport(bytes: Uint8Array): Promise<Report> {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 50 }).catch((error) => {
    throw unreadable(`it cannot be read as a mail: ${(error as Error).message}`)
  })
  const status = partOf(mail, statusTypes)
  if (status === null)
    throw unreadable('it has no part message/delivery-status, so it is no delivery status notification')
  // The first group of fields is about the report, each of the others about one recipient.
  const recipients = status
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsIn)
    .filter((fields) => fields.has('action'))
  if (recipients.length === 0) throw unreadable('it names no recipient with an action')
  const failed = recipients.filter((fields) => fields.get('action')?.toLowerCase() === 'failed').map(failureOf)
  return { ...mailNamedBy(mail), failed }
}

/** By the Message-ID of what came back; servers that send nothing back name it in the headers of an answer. */
function mailNamedBy(mail: Email): { id: string; message_id: string } {
  const returned = fieldsIn((partOf(mail, returnedTypes) ?? '').split(/\r?\n[ \t]*\r?\n/)[0] ?? '')
  const named = [returned.get('message-id'), mail.inReplyTo, ...(mail.references ?? '').split(/\s+/).reverse()]
  for (const text of named) {
    const [message_id, before = ''] = /<([^<>@\s]{1,100})@[^<>\s]{1,300}>/.exec(text ?? '') ?? []
    const id = readId(before)
    if (message_id && id) return { id, message_id }
  }
  throw unreadable('it does not say by a Message-ID of ours which mail it is about')
}

function failureOf(fields: ReadonlyMap<string, string>): { address: string; reason: string } {
  // `rfc822; nobody@acme.example` and `smtp; 550 No such user`: the first word says what kind of text follows.
  const value = (name: string) => oneLine((fields.get(name) ?? '').replace(/^[^;]*;/, ''))
  const status = oneLine(fields.get('status') ?? '')
  const address = (value('original-recipient') || value('final-recipient') || 'unknown').slice(0, 254)
  const said = value('diagnostic-code')
  return {
    address,
    reason: ([said.includes(status) ? '' : status, said].filter(Boolean).join(' ') || 'No reason was given.').slice(
      0,
      500,
    ),
  }
}

function partOf({ attachments }: Email, types: readonly string[]): string | null {
  const found = attachments.find(({ mimeType }) => types.includes(mimeType.toLowerCase()))
  return found ? textOf(found.content) : null
}

function textOf(content: Attachment['content']): string {
  return typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8')
}

/** Fields as in the head of a mail, by their names in lower case. A line that begins with a blank goes on with the one before. */
function fieldsIn(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value = ''] = /^([!-9;-~]+)[ \t]*:(.*)$/s.exec(line) ?? []
    if (name && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim())
  }
  return fields
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

function unreadable(why: string): Refusal {
  return new Refusal('invalid', 'unreadable_report', `It is no report of a mail that came back: ${why}.`)
}
