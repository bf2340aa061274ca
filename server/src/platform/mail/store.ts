import type { Context } from '../context.ts'
import { envelope, type FoundRecords, nothingFound, pageOf } from '../core/schema/pages.ts'
import type { WireRecord } from '../core/schema/revisions.ts'
import { parseDate } from '../core/values/dates.ts'
import { andChanged } from '../db/sql/changed.ts'
import { keyTypesOf, newestFirst, pageStatement } from '../db/sql/keyset.ts'
import { type Statement, sql, when } from '../db/sql/sql.ts'
import type { MailKind, MailSearch, MailStatus } from './model.ts'

/** Which mails a caller may see: those of their scopes, and those of users where they administer the organization. */
export type VisibleMails = { scopes: readonly string[]; user: string | null }

type Row = {
  id: string
  kind: MailKind
  scope: string
  to: readonly string[]
  cc?: readonly string[]
  reply_to?: string | null
  subject: string
  text: string
  hasSecret?: boolean
  record?: { type: string; id: string }
  created_by: string
  attachments?: readonly { file_name: string; media_type: string; content: Buffer }[]
}

export async function insertMail(ctx: Context, mail: Row): Promise<void> {
  const {
    id,
    kind,
    scope,
    to,
    cc = [],
    reply_to = null,
    subject,
    text,
    hasSecret = false,
    record,
    created_by,
    attachments = [],
  } = mail
  const listed = attachments.map(({ file_name, media_type, content }) => ({
    file_name,
    media_type,
    size: content.length,
  }))
  await ctx.run(sql`
    insert into mails (org_id, id, kind, scope, to_addresses, cc_addresses, reply_to, subject, body_text, has_secret, attachments, record_type, record_id, created_by,
      next_attempt_at)
    values (${ctx.org}, ${id}, ${kind}, ${scope}, ${to}::text[], ${cc}::text[], ${reply_to}, ${subject}, ${text}, ${hasSecret},
      ${JSON.stringify(listed)}::text::jsonb, ${record?.type ?? null},
      ${record?.id ?? null}, ${created_by}, statement_timestamp())`)
  for (const [position, { file_name, media_type, content }] of attachments.entries())
    await ctx.run(sql`
      insert into mail_attachments (org_id, mail_id, position, file_name, media_type, content)
      values (${ctx.org}, ${id}, ${position}, ${file_name}, ${media_type}, ${content})`)
}

export async function listMails(ctx: Context, search: MailSearch, visible: VisibleMails): Promise<string> {
  const { status_ids: statuses, kinds, record_type, record_id, search_term, created_start_at, created_end_at } = search
  const page = pageOf('mails', search, keyTypesOf(newestFirst))
  const since = created_start_at === undefined ? undefined : parseDate(created_start_at, 'start')
  const until = created_end_at === undefined ? undefined : parseDate(created_end_at, 'end')
  const found = sql`position(lower(${search_term}) in lower(array_to_string(m.to_addresses || m.cc_addresses, ' ') || chr(10) || m.subject)) > 0`
  const condition = sql`w.org_id = ${ctx.org}${andChanged(ctx.org, 'mails', search)} ${seen(ctx.org, visible)} ${when(statuses, sql`and w.status = any(${statuses}::text[])`)}
    ${when(kinds, sql`and w.kind = any(${kinds}::text[])`)} ${when(record_type, sql`and w.record_type = ${record_type}`)}
    ${when(record_id, sql`and w.record_id = ${record_id}`)} ${when(since, sql`and w.created_at >= ${since}`)} ${when(until, sql`and w.created_at <= ${until}`)}
    ${when(search_term, sql`and exists (select from mails m where m.org_id = ${ctx.org} and m.id = w.id and ${found})`)}`
  const rows = sql`from mails_wire w where ${condition}`
  const [result] = await ctx.run<FoundRecords>(
    pageStatement({ total: sql`(select count(*)::int ${rows})`, rows, order: newestFirst, page }),
  )
  return envelope('mails', result ?? nothingFound, page)
}

export async function findMail(ctx: Context, id: string, visible?: VisibleMails): Promise<WireRecord | undefined> {
  const [row] = await ctx.run<WireRecord>(sql`
    select w.revision, w.json from mails_wire w where w.org_id = ${ctx.org} and w.id = ${id} ${visible ? seen(ctx.org, visible) : sql``}`)
  return row
}

export type StoredMail = {
  id: string
  status: MailStatus
  has_secret: boolean
  to_addresses: string[]
  cc_addresses: string[]
  reply_to: string | null
  subject: string
  body_text: string | null
  content: Buffer | null
  message_id: string | null
  accepted_addresses: string[]
  refused: { address: string; error: string }[]
  failure_count: number
  created_at: Date
  organization: string
}

export const storedColumns = sql`q.id, q.status, q.has_secret, q.to_addresses, q.cc_addresses, q.reply_to, q.subject, q.body_text, q.content, q.message_id,
  q.accepted_addresses, q.refused, q.failure_count, q.created_at`

/** The mail with all that its message is made of. */
export async function findStored(ctx: Context, id: string, visible: VisibleMails): Promise<StoredMail | undefined> {
  const [row] = await ctx.run<StoredMail>(sql`
    select ${storedColumns}, o.name as organization from mails q join mails_wire w on w.org_id = q.org_id and w.id = q.id join organizations o on o.org_id = q.org_id
    where q.org_id = ${ctx.org} and w.org_id = ${ctx.org} and o.org_id = ${ctx.org} and q.id = ${id} ${seen(ctx.org, visible)}`)
  return row
}

export type StoredAttachment = { file_name: string; media_type: string; content: Buffer }

export async function listAttachments(ctx: Context, id: string): Promise<StoredAttachment[]> {
  return ctx.run<StoredAttachment>(sql`
    select file_name, media_type, content from mail_attachments where org_id = ${ctx.org} and mail_id = ${id} order by position`)
}

export async function lockMail(
  ctx: Context,
  id: string,
  visible?: VisibleMails,
): Promise<(Pick<StoredMail, 'status' | 'has_secret'> & { json: string; revision: number }) | undefined> {
  const locked = await ctx.run(sql`select from mails where org_id = ${ctx.org} and id = ${id} for update`)
  if (locked.length === 0) return undefined
  const [row] = await ctx.run<{ status: MailStatus; has_secret: boolean; json: string; revision: number }>(
    sql`select w.status, w.has_secret, w.json, w.revision from mails_wire w where w.org_id = ${ctx.org} and w.id = ${id} ${visible ? seen(ctx.org, visible) : sql``}`,
  )
  return row
}

/** It waits again, due at once, for all its addresses and with all its retries. */
export async function saveQueued(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`
    update mails set status = 'queued', failure_count = 0, next_attempt_at = statement_timestamp(), leased_until = null, last_error = null, accepted_addresses = '{}',
      refused = '[]'::jsonb, bounced_at = null, revision = revision + 1, updated_at = statement_timestamp()
    where org_id = ${ctx.org} and id = ${id}`)
}

export async function saveBounced(ctx: Context, id: string, reason: string): Promise<void> {
  await ctx.run(sql`
    update mails set status = 'bounced', next_attempt_at = null, leased_until = null, last_error = ${reason}, bounced_at = statement_timestamp(), revision = revision + 1,
      updated_at = statement_timestamp()
    where org_id = ${ctx.org} and id = ${id}`)
}

/** `w` is a mail that this caller may see. */
function seen(org: string, { scopes, user }: VisibleMails): Statement {
  const administers =
    user === null
      ? sql`true`
      : sql`exists (select from users u where u.org_id = ${org} and u.id::text = ${user} and u.role = 'admin' and u.disabled_at is null)`
  return sql`and w.scope = any(${scopes}::text[]) and (w.scope <> 'users' or ${administers})`
}
