import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { newId } from '../core/values/ids.ts'
import type { Database } from '../db/database.ts'
import { chosenTypes, isChosen } from '../events/types.ts'
import { systemContext } from '../organizations/actions.ts'
import { insertDeliveries, insertDeliveriesAgain, type NewDelivery } from './deliveries-store.ts'
import {
  deleteReplay,
  type FeedEvent,
  findOpen,
  type LateWebhook,
  listFeed,
  listSpan,
  lockBehind,
  lockReplay,
  savePositions,
  saveReplay,
} from './fan-out-store.ts'

/** One transaction moves so many webhooks on, and makes so many deliveries at most: requests wait while this process puts them together. */
const webhooksAtOnce = 200
const deliveriesAtOnce = 500
/** A replay looks at so many positions of the feed at a time: it may have very many, none of which is new to anyone. */
const positionsAtOnce = 40
/** After one that made deliveries, requests have the database to themselves for so many times as long as it took: sending takes longer than making them. */
const restTimes = 2
const longestRestMs = 100

/** A test is for the webhook that was asked to be tested, which has its delivery already. */
const testType = 'webhook.test'

/**
 * Makes the deliveries for everything that was published, and for the next positions of what is replayed, and calls back with each webhook to which there is
 * something to be sent. Webhooks that somebody else has locked, as to write down what came of an attempt, are waited for last. Most organizations have no
 * webhook that is behind, which one read says. Answers whether more is to be replayed: what happens meanwhile does not wait for it.
 */
export async function fanOut(
  database: Database,
  org: string,
  made: (webhook: string) => void,
  signal?: AbortSignal,
): Promise<{ more: boolean }> {
  const ctx = systemContext(database, org)
  const step = async (some: (ctx: Context) => Promise<readonly string[] | null>) => {
    signal?.throwIfAborted()
    const touched = await ctx.transaction(some)
    for (const webhook of new Set(touched)) made(webhook)
    return touched
  }
  const repeat = async (some: (ctx: Context) => Promise<readonly string[] | null>) => {
    for (let touched: readonly string[] | null = []; touched; ) {
      const since = performance.now()
      touched = await step(some)
      if (touched?.length) await sleep(Math.min(longestRestMs, (performance.now() - since) * restTimes))
    }
  }
  const { behind, replays } = await findOpen(ctx)
  if (behind) await repeat((ctx) => fanOutSome(ctx, 'skip'))
  if (behind && (await findOpen(ctx)).behind) await repeat((ctx) => fanOutSome(ctx, 'wait'))
  return { more: replays && (await step(replaySome)) !== null }
}

/**
 * The deliveries and how far the webhooks are belong to one transaction, so none is missing and none is made twice. The head of the feed is read before its
 * events, in a statement of its own: up to there all of them are to be seen. Null when nothing was left to do.
 */
async function fanOutSome(ctx: Context, locked: 'skip' | 'wait'): Promise<readonly string[] | null> {
  const behind = await lockBehind(ctx, webhooksAtOnce, locked)
  const [first] = behind
  if (!first) return null
  const inStep = behind.filter(({ position }) => position === first.position)
  const most = Math.floor(deliveriesAtOnce / inStep.length)
  const events = await listFeed(ctx, { after: first.position, upTo: first.last, most })
  const deliveries = inStep.flatMap((webhook) => deliveriesTo(webhook, events))
  await insertDeliveries(ctx, deliveries)
  const last = events.length < most ? first.last : (events.at(-1)?.position ?? first.last)
  await savePositions(
    ctx,
    inStep.map(({ id }) => id),
    last,
  )
  return deliveries.map(({ webhook }) => webhook)
}

function deliveriesTo(
  { id: webhook, event_types }: Pick<LateWebhook, 'id' | 'event_types'>,
  events: readonly FeedEvent[],
): NewDelivery[] {
  const chosen = chosenTypes(event_types)
  return events
    .filter(({ type }) => type !== testType && isChosen(chosen, type))
    .map(({ id, type }) => ({ id: newId(), webhook, event: id, type }))
}

/** The next positions of a replay. One whose webhook was disabled meanwhile ends. Null where there is none, or another process is at it. */
async function replaySome(ctx: Context): Promise<readonly string[] | null> {
  const replay = await lockReplay(ctx)
  if (!replay) return null
  const { id, webhook_id, position, until_position, event_types, webhook_types, enabled } = replay
  const upTo = Math.min(position + positionsAtOnce, until_position)
  const wanted = chosenTypes(event_types)
  const events = enabled ? (await listSpan(ctx, replay, upTo)).filter(({ type }) => isChosen(wanted, type)) : []
  const deliveries = deliveriesTo({ id: webhook_id, event_types: webhook_types }, events)
  await insertDeliveriesAgain(ctx, deliveries)
  if (!enabled || upTo >= until_position) await deleteReplay(ctx, id)
  else await saveReplay(ctx, id, upTo)
  return deliveries.length > 0 ? [webhook_id] : []
}
