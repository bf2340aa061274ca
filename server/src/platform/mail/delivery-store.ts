import { type Context, together } from '../context.ts'
import type { Pool } from '../db/pool/connect.ts'
import { later } from '../db/sql/later.ts'
import { sql } from '../db/sql/sql.ts'
import { type Claimed, claim } from '../work/queue/queue.ts'
import type { QueueTable } from '../work/queue/table.ts'
import type { MailStatus } from './model.ts'
import { type StoredMail, storedColumns } from './store.ts'

export const mailQueue: QueueTable = {
  name: 'mails',
  dueAt: 'next_attempt_at',
  withoutTime: 'done',
  waits: ['status', 'queued'],
}

/** The organizations in which something is to be sent now, with the rights of the schema's owner. */
export async function listOrganizationsWithDueMails({ run }: Pool, aheadMs: number): Promise<string[]> {
  const rows = await run<{ org_id: string }>(sql`
    select distinct m.org_id from mails m
    where m.next_attempt_at <= ${later(aheadMs)} and (m.leased_until is null or m.leased_until <= ${later(aheadMs)})`)
  return rows.map(({ org_id }) => org_id)
}

/** The organization whose mail this is, with the rights of the schema's owner: a look into the key of each organization, not through all mails. */
export async function findOrganizationOfMail({ run }: Pool, id: string): Promise<string | null> {
  const [row] = await run<{ org_id: string }>(
    sql`select o.org_id from organizations o join mails m on m.org_id = o.org_id and m.id = ${id}`,
  )
  return row?.org_id ?? null
}

/** Takes what is due, the oldest first. `now` is the time of the database. */
export async function claimDueMails(
  ctx: Context,
  { most, aheadMs }: { most: number; aheadMs: number },
): Promise<{ claimed: Claimed<StoredMail>[]; now: Date }> {
  const [[time], claimed, [own]] = await together(
    ctx.run<{ now: Date }>(sql`select ${later(aheadMs)} as now`),
    claim<StoredMail>(ctx, mailQueue, { most, returning: storedColumns, aheadMs }),
    ctx.run<{ name: string }>(sql`select name from organizations where org_id = ${ctx.org}`),
  )
  return {
    claimed: claimed.map((mail) => ({ ...mail, organization: own?.name ?? '' })),
    now: time?.now ?? new Date(),
  }
}

/** Keeps the message before it is sent for the first time. Its parts are not needed any more. */
export async function saveContent(ctx: Context, id: string, content: Buffer, messageId: string): Promise<void> {
  await ctx.run(
    sql`update mails set content = ${content}, message_id = ${messageId} where org_id = ${ctx.org} and id = ${id} and content is null`,
  )
  await ctx.run(sql`delete from mail_attachments where org_id = ${ctx.org} and mail_id = ${id}`)
}

export type Outcome = {
  status: Extract<MailStatus, 'queued' | 'sent' | 'kept' | 'failed'>
  accepted: readonly string[]
  refused: readonly { address: string; error: string }[]
  error: string | null
  nextAttemptAt: Date | null
  sentAt: Date | null
}

/** Writes what came of an attempt, unless the mail has ended meanwhile, as after a lease had passed; whether it did. What is secret is deleted at the end. */
export async function saveOutcome(
  ctx: Context,
  id: string,
  { status, accepted, refused, error, nextAttemptAt, sentAt }: Outcome,
): Promise<boolean> {
  const hasEnded = status !== 'queued'
  const rows = await ctx.run(sql`
    update mails set status = ${status}, accepted_addresses = ${accepted}::text[], refused = ${JSON.stringify(refused)}::text::jsonb, last_error = ${error},
      attempt_count = attempt_count + 1, failure_count = case when ${hasEnded}::boolean then failure_count else failure_count + 1 end,
      next_attempt_at = ${nextAttemptAt}::timestamptz, leased_until = null,
      sent_at = coalesce(${sentAt}::timestamptz, sent_at),
      content = case when has_secret and ${hasEnded}::boolean then null else content end,
      body_text = case when has_secret and ${hasEnded}::boolean then null else body_text end,
      revision = revision + 1, updated_at = statement_timestamp()
    where org_id = ${ctx.org} and id = ${id} and status = 'queued' returning id`)
  return rows.length > 0
}

/** How many mails wait in all organizations, and for how long the one that has been due for longest has; with the rights of the schema's owner. */
export async function findWaitingMails({ run }: Pool): Promise<{ waiting: number; oldestSeconds: number }> {
  const [row] = await run<{ waiting: number; oldest: number | null }>(sql`
    select count(*)::int as waiting, extract(epoch from statement_timestamp() - min(m.next_attempt_at))::float8 as oldest
    from mails m where m.next_attempt_at is not null`)
  return { waiting: row?.waiting ?? 0, oldestSeconds: Math.max(row?.oldest ?? 0, 0) }
}
