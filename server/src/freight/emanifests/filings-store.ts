import type { Context } from '../../platform/context.ts'
import type { Pool } from '../../platform/db/pool/connect.ts'
import { later } from '../../platform/db/sql/later.ts'
import { sql } from '../../platform/db/sql/sql.ts'
import { type Claimed, claim } from '../../platform/work/queue/queue.ts'
import type { QueueTable } from '../../platform/work/queue/table.ts'
import type { Answer } from './contents/answers.ts'
import type { Purpose, TransactionSet } from './contents/codes.ts'
import type { FilingState } from './contents/model.ts'

type New = {
  id: string
  emanifest_id: string
  submission: number
  control_number: number
  transaction_set: TransactionSet
  purpose: Purpose
  content: string
}

export async function insertFiling(ctx: Context, filing: New): Promise<void> {
  await ctx.run(sql`
    insert into emanifest_filings (org_id, id, emanifest_id, submission, control_number, transaction_set, purpose, content)
    values (${ctx.org}, ${filing.id}, ${filing.emanifest_id}, ${filing.submission}, ${filing.control_number}, ${filing.transaction_set}, ${filing.purpose}, ${filing.content})`)
}

export type LastInterchange = { transaction_set: TransactionSet; state: FilingState; content: string }

/** Of each set the last interchange, but for cancellations, that customs has or may have and has not refused; `accepted`: that customs accepted. */
export function listLastFiled(
  ctx: Context,
  emanifest: string,
  { accepted }: { accepted: boolean },
): Promise<LastInterchange[]> {
  const states: FilingState[] = accepted ? ['accepted'] : ['waiting', 'sent', 'received', 'accepted']
  return ctx.run<LastInterchange>(sql`
    select distinct on (transaction_set) transaction_set, state, content from emanifest_filings
    where org_id = ${ctx.org} and emanifest_id = ${emanifest} and purpose <> 'cancellation'
      and (state = any (${states}::text[]) or ${!accepted}::boolean and state = 'failed' and may_have_arrived)
    order by transaction_set, control_number desc`)
}

export async function findContent(
  ctx: Context,
  emanifest: string,
  id: string,
): Promise<{ content: string; control_number: number; transaction_set: string } | undefined> {
  const [row] = await ctx.run<{ content: string; control_number: number; transaction_set: string }>(sql`
    select content, control_number, transaction_set from emanifest_filings where org_id = ${ctx.org} and emanifest_id = ${emanifest} and id = ${id}`)
  return row
}

/** Of which e-manifest an interchange is. */
export async function findByControl(ctx: Context, control: number): Promise<string | null> {
  const [row] = await ctx.run<{ emanifest_id: string }>(
    sql`select emanifest_id from emanifest_filings where org_id = ${ctx.org} and control_number = ${control}`,
  )
  return row?.emanifest_id ?? null
}

/** Has what could not be handed over tried again. */
export async function saveWaitingAgain(ctx: Context, emanifest: string, submission: number): Promise<number> {
  const rows = await ctx.run(sql`
    update emanifest_filings set state = 'waiting', attempts = 0, next_attempt_at = null
    where org_id = ${ctx.org} and emanifest_id = ${emanifest} and submission = ${submission} and state = 'failed' returning id`)
  return rows.length
}

/** What was held back behind an interchange that could not be handed over is not handed over any more. */
export async function saveNotToBeSent(ctx: Context, emanifest: string): Promise<void> {
  await ctx.run(sql`
    update emanifest_filings f set state = 'failed', error = 'It was not handed over, because the interchange before it was not.', next_attempt_at = null
    where f.org_id = ${ctx.org} and f.emanifest_id = ${emanifest} and f.state = 'waiting' and exists (
      select from emanifest_filings before where before.org_id = ${ctx.org} and before.emanifest_id = f.emanifest_id and before.submission = f.submission
        and before.control_number < f.control_number and before.state = 'failed')`)
}

/** What customs said of an interchange, unless it has decided before. False where it has. */
export async function saveAnswer(
  ctx: Context,
  id: string,
  state: 'received' | 'accepted' | 'rejected',
): Promise<boolean> {
  const decided = state !== 'received'
  const now = sql`${new Date().toISOString()}::timestamptz`
  const rows = await ctx.run(sql`
    update emanifest_filings set state = ${state}, sent_at = coalesce(sent_at, ${now}), next_attempt_at = null, error = null, answered_at = ${decided ? now : sql`null`}
    where org_id = ${ctx.org} and id = ${id} and state = any (${decided ? ['waiting', 'sent', 'received', 'failed'] : ['waiting', 'sent', 'failed']}::text[]) returning id`)
  return rows.length > 0
}

/** False where the same acknowledgement has come before. */
export async function insertAcknowledgement(
  ctx: Context,
  emanifest: string,
  filing: string | null,
  { key, kind, outcome, messages }: Answer,
): Promise<boolean> {
  const rows = await ctx.run(sql`
    insert into emanifest_acknowledgements (org_id, key, emanifest_id, filing_id, kind, outcome, messages)
    values (${ctx.org}, ${key}, ${emanifest}, ${filing}, ${kind}, ${outcome}, ${JSON.stringify(messages)}::text::jsonb) on conflict (org_id, key) do nothing returning key`)
  return rows.length > 0
}

/** Of which e-manifests these acknowledgements were that have come before, by their keys. */
export async function listRepeated(ctx: Context, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.run<{ key: string; emanifest_id: string }>(
    sql`select key, emanifest_id from emanifest_acknowledgements where org_id = ${ctx.org} and key = any (${keys}::text[])`,
  )
  return new Map(rows.map(({ key, emanifest_id }) => [key, emanifest_id]))
}

export type Turn = { org_id: string; id: string }

/**
 * Of each e-manifest the first interchange that waits, where it can be handed over now, with the rights of the schema's owner. One is held back while another
 * that was filed together with it, and before it, could not be handed over: customs takes a 358 only with its 309.
 */
export async function listTurns({ run }: Pool, aheadMs: number): Promise<Turn[]> {
  return run<Turn>(sql`
    select f.org_id, f.id from (
      select distinct on (w.org_id, w.emanifest_id) w.org_id, w.id, w.leased_until, w.next_attempt_at, w.created_at from emanifest_filings w
      where w.state = 'waiting' and not exists (
        select from emanifest_filings before where before.org_id = w.org_id and before.emanifest_id = w.emanifest_id and before.submission = w.submission
          and before.control_number < w.control_number and before.state = 'failed')
      order by w.org_id, w.emanifest_id, w.control_number) as f
    where (f.leased_until is null or f.leased_until <= ${later(aheadMs)}) and (f.next_attempt_at is null or f.next_attempt_at <= ${later(aheadMs)})
    order by f.created_at, f.id limit 200`)
}

export const filingQueue: QueueTable = {
  name: 'emanifest_filings',
  dueAt: 'next_attempt_at',
  withoutTime: 'due',
  waits: ['state', 'waiting'],
}

export type ClaimedFiling = Claimed<{
  id: string
  emanifest_id: string
  control_number: number
  transaction_set: TransactionSet
  content: string
  attempts: number
}>

/** A lease that is still there is of a process that ended during its attempt. */
export async function claimFiling(ctx: Context, id: string, aheadMs: number): Promise<ClaimedFiling | undefined> {
  const [row] = await claim<ClaimedFiling>(ctx, filingQueue, {
    of: sql`q.id = ${id}`,
    set: sql`, attempts = q.attempts + 1, may_have_arrived = q.may_have_arrived or q.leased_until is not null`,
    returning: sql`q.id, q.emanifest_id, q.control_number, q.transaction_set, q.content, q.attempts`,
    aheadMs,
  })
  return row
}

/** False where it was answered meanwhile, which says the same. */
export async function saveSent(ctx: Context, id: string): Promise<boolean> {
  const rows = await ctx.run(sql`
    update emanifest_filings set state = 'sent', sent_at = statement_timestamp(), leased_until = null, next_attempt_at = null, error = null
    where org_id = ${ctx.org} and id = ${id} and state = 'waiting' returning id`)
  return rows.length > 0
}

/** It is tried again after so long; never, where that is null. */
export async function saveUnsent(
  ctx: Context,
  id: string,
  { error, mayHaveArrived }: { error: string; mayHaveArrived: boolean },
  waitMs: number | null,
  aheadMs: number,
): Promise<boolean> {
  const rows = await ctx.run(sql`
    update emanifest_filings set state = ${waitMs === null ? 'failed' : 'waiting'}, error = ${error}, leased_until = null,
      may_have_arrived = may_have_arrived or ${mayHaveArrived}::boolean, next_attempt_at = ${waitMs === null ? sql`null` : later(waitMs + aheadMs)}
    where org_id = ${ctx.org} and id = ${id} and state = 'waiting' returning id`)
  return rows.length > 0
}

/** What was handed over came back with something that could not be read. */
export async function saveError(ctx: Context, id: string, error: string): Promise<void> {
  await ctx.run(sql`update emanifest_filings set error = ${error} where org_id = ${ctx.org} and id = ${id}`)
}
