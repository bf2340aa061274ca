import type { Run } from '../../db/sql/rows.ts'
import { sql, when } from '../../db/sql/sql.ts'
import type { EventChoice } from '../../events/types.ts'

export type LiveWebhook = {
  org_id: string
  id: string
  event_types: string[]
  complete_after: number
  position: number
  last_position: number
}

/** Enabled webhooks, with the span of the feed in which each event has its delivery; with the rights of the schema's owner, as everything here. */
export async function listLive(run: Run): Promise<LiveWebhook[]> {
  const rows = await run<Record<keyof LiveWebhook, string> & { event_types: string[] }>(sql`
    select w.org_id, w.id, w.event_types, coalesce(w.complete_after, w.position) as complete_after, w.position, coalesce(f.last_position, 0) as last_position
    from webhooks w left join feeds f on f.org_id = w.org_id where w.enabled order by w.org_id, w.id`)
  return rows.map((row) => ({
    ...row,
    complete_after: Number(row.complete_after),
    position: Number(row.position),
    last_position: Number(row.last_position),
  }))
}

/** Events of the last days in the span of a webhook, of the types that it asks for, without a delivery. A test is sent to one webhook alone. */
export async function countMissing(
  run: Run,
  { org_id, id, complete_after, position }: LiveWebhook,
  chosen: EventChoice | undefined,
  days: number,
): Promise<{ count: number; first: string | null }> {
  const [row] = await run<{ count: number; first: string | null }>(sql`
    select count(*)::int as count, min(e.position) as first from events e
    where e.org_id = ${org_id} and e.position > ${complete_after} and e.position > 0 and e.position <= ${position} and e.type <> 'webhook.test'
      and e.occurred_at >= statement_timestamp() - ${days} * interval '1 day'
      ${when(chosen, sql`and (e.type = any(${chosen?.names}::text[]) or split_part(e.type, '.', 1) = any(${chosen?.nouns}::text[]))`)}
      and not exists (select from webhook_deliveries d where d.org_id = ${org_id} and d.webhook_id = ${id} and d.event_id = e.id)`)
  return row ?? { count: 0, first: null }
}

/** Due for more than an hour to endpoints that do not fail, while a server runs; or leased for longer than any process leases. */
export async function listNotSent(run: Run): Promise<string[]> {
  const [served] = await run(
    sql`select from serving_processes where renewed_at > statement_timestamp() - interval '1 minute' limit 1`,
  )
  const rows = await run<{ org_id: string; webhook_id: string; late: number; held: number }>(sql`
    select d.org_id, d.webhook_id, count(*) filter (where d.leased_until is null or d.leased_until <= statement_timestamp() + interval '10 minutes')::int as late,
      count(*) filter (where d.leased_until > statement_timestamp() + interval '10 minutes')::int as held
    from webhook_deliveries d join webhooks w on w.org_id = d.org_id and w.id = d.webhook_id
    where w.enabled and d.next_attempt_at is not null and (d.leased_until > statement_timestamp() + interval '10 minutes'
      or w.failing_since is null and d.next_attempt_at < statement_timestamp() - interval '1 hour')
    group by d.org_id, d.webhook_id order by d.org_id, d.webhook_id`)
  return rows.flatMap(({ org_id, webhook_id, late, held }) => [
    ...(late > 0 && served
      ? [
          `${late} deliveries to the webhook ${webhook_id} of ${org_id} have been due for more than an hour, though a server runs.`,
        ]
      : []),
    ...(held > 0
      ? [
          `${held} deliveries to the webhook ${webhook_id} of ${org_id} are leased for longer than a process leases them.`,
        ]
      : []),
  ])
}

/** Deliveries whose number of attempts is not the number that is stored, or that are said to have succeeded without one that did. */
export async function listCountFaults(run: Run): Promise<string[]> {
  const rows = await run<{ org_id: string; id: string; state: string; attempt_count: number; stored: number }>(sql`
    select d.org_id, d.id, d.state, d.attempt_count, coalesce(a.stored, 0)::int as stored from webhook_deliveries d
    left join (select org_id, delivery_id, count(*) as stored, max(number) as last, bool_or(error is null) as succeeded from webhook_attempts group by org_id, delivery_id) a
      on a.org_id = d.org_id and a.delivery_id = d.id
    where d.attempt_count <> coalesce(a.stored, 0) or d.attempt_count <> coalesce(a.last, 0) or d.state = 'succeeded' and a.succeeded is not true
    order by d.org_id, d.id limit 100`)
  return rows.map(
    ({ org_id, id, state, attempt_count, stored }) =>
      `The delivery ${id} of ${org_id} is ${state} after ${attempt_count} attempts, but ${stored} are stored.`,
  )
}
