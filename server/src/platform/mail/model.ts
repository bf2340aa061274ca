import Type, { type Static } from 'typebox'
import type { Scope } from '../access/scopes.ts'
import { changedBetween, Id, Moment, nullable, paging, Text, Time } from '../core/schema/schema.ts'

/** A mail needs the scope of what it is about, which is known once it is found; mails of users need the role admin besides. */
export const mailScopes = [
  'bills',
  'invoices',
  'consolidated_bills',
  'customers',
  'manifests',
  'orders',
  'partner_portal',
  'users',
  'webhooks',
] as const satisfies readonly Scope[]

export const mailKinds = ['document', 'remittance', 'statement', 'invitation', 'password_reset', 'notice'] as const
export type MailKind = (typeof mailKinds)[number]

export const mailStatuses = ['queued', 'sent', 'kept', 'failed', 'bounced'] as const
export type MailStatus = (typeof mailStatuses)[number]

const kind = Type.Enum(mailKinds, { description: 'What it is for.', examples: ['document'] })
const status = Type.Enum(mailStatuses, {
  description:
    '`queued` until a mail server has taken it, `sent` once one has, `kept` where the installation has no mail server, `failed` after a refusal for good or the last attempt, `bounced` when it came back.',
  examples: ['sent'],
})
const addresses = (description: string, example: string[]) =>
  Type.Array(Type.String(), { description, examples: [example] })

export const Mail = Type.Object(
  {
    id: Id('The mail.'),
    kind,
    status,
    to: addresses('Whom it is addressed to.', ['ap@acmefoods.example']),
    cc: addresses('Who gets a copy.', []),
    reply_to: nullable(
      Type.String({
        description: 'Where answers go; null for the address of the sender.',
        examples: ['dana@blueridge.example'],
      }),
    ),
    subject: Type.String({
      description: 'The subject.',
      examples: ['Invoice INV-000123 from Blue Ridge Freight Brokers'],
    }),
    body_text: nullable(
      Type.String({
        description: 'The text; null where it holds a secret, such as the link of an invitation.',
        examples: ['Please find invoice INV-000123 attached.'],
      }),
    ),
    record_type: nullable(
      Type.String({ description: 'What it is about: `bill`, `invoice`, `payment` and so on.', examples: ['invoice'] }),
    ),
    record_id: nullable(Id('The record that it is about.')),
    attachments: Type.Array(
      Type.Object({
        file_name: Type.String({ description: 'The name of the file.', examples: ['INV-000123.pdf'] }),
        media_type: Type.String({ description: 'Its type.', examples: ['application/pdf'] }),
        size: Type.Integer({ minimum: 0, description: 'Its size in bytes.', examples: [21944] }),
      }),
      { description: 'What is attached; the message has it.' },
    ),
    message_id: nullable(
      Type.String({
        description: 'Its Message-ID, the same in every attempt; null before the first one.',
        examples: ['<01932b5e@blueridge.example>'],
      }),
    ),
    accepted: addresses('The addresses for which a mail server has taken it.', ['ap@acmefoods.example']),
    refused: Type.Array(
      Type.Object({
        address: Type.String({ description: 'The address.', examples: ['nobody@acmefoods.example'] }),
        error: Type.String({ description: 'What the mail server said.', examples: ['550 No such user'] }),
      }),
      { description: 'The addresses that the mail server refused for good.' },
    ),
    attempt_count: Type.Integer({
      minimum: 0,
      description: 'How often it was handed to the mail server.',
      examples: [1],
    }),
    next_attempt_at: nullable(Time('When it is tried next; null when nothing is to come.')),
    last_error: nullable(
      Type.String({
        description: 'Why the last attempt failed, or why it came back; null where it did not.',
        examples: [null],
      }),
    ),
    sent_at: nullable(Time('When a mail server took it.')),
    bounced_at: nullable(Time('When it came back.')),
    revision: Type.Integer({
      minimum: 1,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [2],
    }),
    created_by: Type.String({
      description: 'Who sent it: the id of a user, or of an application that acted for itself.',
      examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
    }),
    created_at: Time('When it was made.'),
    updated_at: Time('When it last changed.'),
  },
  { $id: 'Mail', description: 'A mail: to whom it goes, and how that went.' },
)
export type Mail = Static<typeof Mail>

export const MailSearch = Type.Object({
  status_ids: Type.Optional(
    Type.Array(status, {
      maxItems: 10,
      description: 'Keeps those in one of these states.',
      examples: [['failed', 'bounced']],
    }),
  ),
  kinds: Type.Optional(
    Type.Array(kind, { maxItems: 10, description: 'Keeps those of these kinds.', examples: [['document']] }),
  ),
  record_type: Type.Optional(
    Type.String({ maxLength: 100, description: 'Keeps those about records of this type.', examples: ['invoice'] }),
  ),
  record_id: Type.Optional(Id('Keeps those about this record.')),
  search_term: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Keeps those with this in their addresses or subject, upper and lower case the same.',
      examples: ['acmefoods'],
    }),
  ),
  created_start_at: Type.Optional(Moment('Made at or after.')),
  created_end_at: Type.Optional(Moment('Made at or before; a date alone means the whole day.')),
  ...changedBetween,
  ...paging,
})
export type MailSearch = Static<typeof MailSearch>

export const BounceBody = Type.Object({
  reason: Text(
    'What the other mail server said.',
    '550 5.1.1 The email account that you tried to reach does not exist.',
    { maxLength: 2000 },
  ),
})

/** What can be sent along when a record is mailed. */
export const MailBody = {
  to: Type.Optional(
    Type.Union([Type.String({ maxLength: 5000 }), Type.Array(Type.String({ maxLength: 254 }), { maxItems: 50 })], {
      description:
        'Whom it is mailed to: e-mail addresses, as a list or with commas between them. Without it, the address that the record has.',
      examples: [['ap@acmefoods.example']],
    }),
  ),
  cc: Type.Optional(
    Type.Union([Type.String({ maxLength: 5000 }), Type.Array(Type.String({ maxLength: 254 }), { maxItems: 50 })], {
      description: 'Who gets a copy; without it, the addresses for copies that the record has.',
      examples: [['ops@blueridge.example']],
    }),
  ),
  subject: Type.Optional(
    Text('The subject; one that names the document unless said.', 'Invoice INV-000123', { maxLength: 255 }),
  ),
  message: Type.Optional(
    Text('The text of the mail; a short one unless said.', 'Please find our invoice attached.', { maxLength: 10_000 }),
  ),
}
export type MailInput = { to?: string | string[]; cc?: string | string[]; subject?: string; message?: string }

/** What the answer to sending a record says of the mail, besides the record. */
export const MailResult = Type.Object({
  mailed: Type.Boolean({
    description: 'Whether a mail goes out. It is sent in the background: how that went is under `/mails`.',
    examples: [true],
  }),
  mailed_to: addresses('Whom it is addressed to; empty where nothing is mailed.', ['ap@acmefoods.example']),
  mail_id: nullable(Id('The mail, under `/mails`; null where nothing is mailed.')),
  not_mailed_because: nullable(
    Type.String({ description: 'Why nothing is mailed, in a sentence; null where a mail goes out.', examples: [null] }),
  ),
})
export type MailResult = Static<typeof MailResult>

export function mailedTo(to: string[], mail_id: string): MailResult {
  return { mailed: true, mailed_to: to, mail_id, not_mailed_because: null }
}

export function notMailed(because: string): MailResult {
  return { mailed: false, mailed_to: [], mail_id: null, not_mailed_because: because }
}
