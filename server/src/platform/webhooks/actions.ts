import { type Context, transaction } from '../context.ts'
import { conflict, invalid, notFound, Refusal } from '../core/refusal.ts'
import { type ExpectedRevision, requireExpected, type WireRecord } from '../core/schema/revisions.ts'
import { parseDate } from '../core/values/dates.ts'
import { newId } from '../core/values/ids.ts'
import { readPosition } from '../events/feed/position.ts'
import { type Needs, requireReadable } from '../events/feed/readable.ts'
import { record } from '../events/record.ts'
import { chosenTypes } from '../events/types.ts'
import { recordSecurity } from '../security-log/record.ts'
import { findDelivery, insertDeliveries, lockDelivery, saveWaiting } from './deliveries-store.ts'
import { findFeed, insertReplay } from './fan-out-store.ts'
import { type NounsOf, requireKnownTypes } from './known-types.ts'
import { type Content, edit, type NewWebhook, type ReplayRequest, type WebhookEdit, withDefaults } from './model.ts'
import { newSecret } from './sending/signing.ts'
import { hostIn, requireTarget } from './sending/target.ts'
import { deliveriesMade } from './sending/waking.ts'
import {
  findRecord,
  findWebhook,
  insertWebhook,
  type LockedWebhook,
  lockWebhook,
  saveDeleted,
  saveDisabled,
  saveEnabled,
  saveSecret,
  saveWebhook,
} from './store.ts'

/** `needs` where a token limits what may be sent. */
type Rules = { allowPrivate: boolean; nounsOf: NounsOf; needs?: Needs }
/** The secret is in this answer and in no other. */
export type WebhookWithSecret = WireRecord & { id: string; secret: string }

export function createWebhook(
  ctx: Context,
  input: NewWebhook,
  { allowPrivate, nounsOf, needs }: Rules,
): Promise<WebhookWithSecret> {
  const content = withDefaults(input)
  requireTarget(content.url, allowPrivate)
  const chosen = chosenTypes(content.event_types, 'event_types')
  if (needs) requireReadable(needs, ctx, chosen)
  return transaction(ctx, async (ctx) => {
    await requireKnownTypes(ctx, nounsOf, content.event_types)
    const id = newId()
    const secret = newSecret()
    await insertWebhook(ctx, id, secret, content)
    await recorded(ctx, id, 'webhook.created')
    await recordSecurity(ctx, {
      type: 'webhook.created',
      summary: `Created a webhook that sends to ${hostIn(content.url)}.`,
    })
    return { ...(await readBack(ctx, id)), id, secret }
  })
}

export function updateWebhook(
  ctx: Context,
  id: string,
  input: WebhookEdit,
  expected: ExpectedRevision,
  { allowPrivate, nounsOf, needs }: Rules,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, expected)
    const { changes, previous } = edit(current, input)
    if (Object.keys(changes).length === 0) return readBack(ctx, id)
    if (changes.url !== undefined) requireTarget(changes.url, allowPrivate)
    const chosen = chosenTypes(changes.event_types ?? current.event_types, 'event_types')
    if (needs && (changes.event_types !== undefined || changes.url !== undefined)) requireReadable(needs, ctx, chosen)
    // What it had already stays: the kind of an object may have been deleted since.
    await requireKnownTypes(
      ctx,
      nounsOf,
      changes.event_types?.filter((type) => !current.event_types.includes(type)),
    )
    await saveWebhook(ctx, id, { ...current, ...changes })
    if (changes.enabled === true) await saveEnabled(ctx, id)
    if (changes.enabled === false) await saveDisabled(ctx, id, null)
    await recorded(ctx, id, 'webhook.updated', {}, previous)
    await recordChanges(ctx, current, changes)
    if (changes.enabled) ctx.afterCommit(async () => deliveriesMade.announce(ctx.org, id))
    return readBack(ctx, id)
  })
}

/** Into the security log. Enabling and disabling are entries of their own. */
async function recordChanges(
  ctx: Context,
  { url }: LockedWebhook,
  { enabled, ...others }: Partial<Content>,
): Promise<void> {
  const fields = Object.keys(others).join(', ').replaceAll('_', ' ')
  const now = others.url === undefined ? '' : ` It sends to ${hostIn(others.url)} now.`
  if (fields)
    await recordSecurity(ctx, {
      type: 'webhook.updated',
      summary: `Changed the webhook that sent to ${hostIn(url)}: ${fields}.${now}`,
    })
  if (enabled === true)
    await recordSecurity(ctx, {
      type: 'webhook.enabled',
      summary: `Enabled the webhook that sends to ${hostIn(others.url ?? url)}.`,
    })
  if (enabled === false)
    await recordSecurity(ctx, {
      type: 'webhook.disabled',
      summary: `Disabled the webhook that sends to ${hostIn(others.url ?? url)}.`,
    })
}

/** Nothing is sent to it from now on but what is under way. */
export function removeWebhook(ctx: Context, id: string, expected: ExpectedRevision): Promise<void> {
  return transaction(ctx, async (ctx) => {
    const { enabled, url } = await lock(ctx, id, expected)
    await recorded(ctx, id, 'webhook.deleted')
    await recordSecurity(ctx, { type: 'webhook.deleted', summary: `Deleted the webhook that sent to ${hostIn(url)}.` })
    if (enabled) await saveDisabled(ctx, id, null)
    await saveDeleted(ctx, id)
  })
}

export function rotateSecret(ctx: Context, id: string, overlapSeconds: number): Promise<WebhookWithSecret> {
  return transaction(ctx, async (ctx) => {
    const current = await lock(ctx, id, null)
    const secret = newSecret()
    await saveSecret(ctx, current, secret, overlapSeconds)
    await recorded(ctx, id, 'webhook.secret_rotated')
    const old = overlapSeconds === 0 ? 'The old one is void' : `The old one signs for ${overlapSeconds} s more`
    await recordSecurity(ctx, {
      type: 'webhook.secret_rotated',
      summary: `Made a new secret for the webhook that sends to ${hostIn(current.url)}. ${old}.`,
    })
    return { ...(await readBack(ctx, id)), id, secret }
  })
}

/** Makes an event that goes to this webhook only, whatever types it asks for. Answers its delivery. */
export function testWebhook(ctx: Context, id: string): Promise<string> {
  return transaction(ctx, async (ctx) => {
    requireEnabled(await lock(ctx, id, null))
    const type = 'webhook.test'
    const event = await recorded(ctx, id, type)
    const delivery = newId()
    await insertDeliveries(ctx, [{ id: delivery, webhook: id, event, type }])
    return waiting(ctx, id, delivery)
  })
}

/** Sends it once more, also one that was taken: with the same `webhook-id`, by which the endpoint knows it. */
export function redeliver(ctx: Context, id: string): Promise<string> {
  return transaction(ctx, async (ctx) => {
    const found = await lockDelivery(ctx, id)
    if (!found) throw notFound('delivery', id)
    requireEnabled(found)
    await saveWaiting(ctx, id)
    await recorded(ctx, found.webhook_id, 'webhook.redelivered', { webhook_delivery_id: id })
    return waiting(ctx, found.webhook_id, id)
  })
}

export function replay(
  ctx: Context,
  id: string,
  { after, from, to, event_types }: ReplayRequest,
  { nounsOf }: Pick<Rules, 'nounsOf'>,
): Promise<string> {
  if ((after === undefined) === (from === undefined))
    throw invalid('after', 'bad_span', 'Send "after", a position of the feed, or "from", a time, and not both.')
  chosenTypes(event_types, 'event_types')
  const since = from === undefined ? null : parseDate(from, 'start')
  const until = to === undefined ? null : parseDate(to, 'end')
  if (since && until && since > until) throw invalid('to', 'bad_span', '"to" is before "from".')
  const position = after === undefined ? null : readPosition(after)
  return transaction(ctx, async (ctx) => {
    const webhook = await lock(ctx, id, null)
    requireEnabled(webhook)
    await requireKnownTypes(
      ctx,
      nounsOf,
      event_types?.filter((type) => !webhook.event_types.includes(type)),
    )
    const { last, keptFrom } = await findFeed(ctx)
    if (position !== null && (position < keptFrom || position > last)) throw expired()
    const eventTypes = [...new Set(event_types ?? webhook.event_types)]
    const json = await insertReplay(ctx, {
      id: newId(),
      webhook: id,
      after: position ?? keptFrom,
      upTo: last,
      from: since,
      to: until,
      eventTypes,
    })
    await recorded(ctx, id, 'webhook.replayed', { webhook_replay: JSON.parse(json) })
    ctx.afterCommit(async () => deliveriesMade.announce(ctx.org, null))
    return json
  })
}

function expired(): Refusal {
  return new Refusal(
    'gone',
    'position_expired',
    'The position is not one from which events are still kept. Send "from" with a time instead.',
  )
}

function requireEnabled({ enabled }: { enabled: boolean }): void {
  if (!enabled)
    throw conflict('webhook_disabled', 'The webhook is disabled, so nothing is sent to it. Enable it first.')
}

/** The delivery as it is answered, and sent as soon as all of it is committed. */
async function waiting(ctx: Context, webhook: string, delivery: string): Promise<string> {
  ctx.afterCommit(async () => deliveriesMade.announce(ctx.org, webhook))
  return (await findDelivery(ctx, delivery)) ?? ''
}

type Verb = 'created' | 'updated' | 'deleted' | 'secret_rotated' | 'test' | 'redelivered' | 'replayed'

/** Events carry the record without how its deliveries go, which changes all the time; `more` is what only the event says. */
async function recorded(
  ctx: Context,
  id: string,
  type: `webhook.${Verb}`,
  more = {},
  previous?: Record<string, unknown>,
): Promise<string> {
  const found = await findRecord(ctx, id)
  if (!found) throw new Error(`webhook ${id} is gone within its own transaction`)
  const data = JSON.stringify({ ...JSON.parse(found.json), ...more })
  return record(ctx, {
    type,
    subject: { type: 'webhook', id },
    revision: found.revision,
    data,
    ...(previous && { previous }),
  })
}

async function lock(ctx: Context, id: string, expected: ExpectedRevision): Promise<LockedWebhook> {
  const current = await lockWebhook(ctx, id)
  if (!current) throw notFound('webhook', id)
  requireExpected(expected, current.revision)
  return current
}

async function readBack(ctx: Context, id: string): Promise<WireRecord> {
  const found = await findWebhook(ctx, id)
  if (!found) throw new Error(`webhook ${id} is gone within its own transaction`)
  return found
}
