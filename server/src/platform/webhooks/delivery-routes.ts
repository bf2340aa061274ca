import Type from 'typebox'
import type { Context } from '../context.ts'
import { notFound } from '../core/refusal.ts'
import { envelopeOf, Id } from '../core/schema/schema.ts'
import { isReadable, type Needs, readableBy } from '../events/feed/readable.ts'
import { ok } from '../http/answers/answers.ts'
import type { App } from '../http/edge/app.ts'
import { emptyBody } from '../http/input/json-body.ts'
import { answers, neverNotModified } from '../http/openapi/openapi.ts'
import { redeliver, replay, testWebhook } from './actions.ts'
import { type DeliveryRow, findDeliveryWithEvent, listDeliveries } from './deliveries-store.ts'
import type { NounsOf } from './known-types.ts'
import { DeliverySearch, DeliverySearchOfOne, ReplayRequest } from './model.ts'
import { config, params, tags } from './paths.ts'
import { bodyOf, fixedHeaders } from './sending/body.ts'
import { findRecord } from './store.ts'

const ofDelivery = Type.Object({ deliveryID: Id('The delivery.') })
const Page = envelopeOf('webhook_deliveries', Type.Ref('WebhookDelivery'))

/** What was sent, and what came back. */
export function deliveryRoutes(app: App, needs: Needs): void {
  app.get(
    '/webhook_deliveries',
    {
      config,
      schema: {
        tags,
        operationId: 'searchWebhookDeliveries',
        summary: 'Search deliveries',
        description:
          'Lists the deliveries to all webhooks, the newest first; with `event_id`, where an event was sent.',
        querystring: DeliverySearch,
        response: answers({ 200: Page }),
      },
    },
    async ({ ctx, query }) => ok(await listDeliveries(ctx, query)),
  )

  app.get(
    '/webhooks/:webhookID/deliveries',
    {
      config,
      schema: {
        tags,
        operationId: 'searchDeliveriesOfWebhook',
        summary: 'Search the deliveries of a webhook',
        description: 'Lists the deliveries to one webhook, those of the newest events first.',
        params,
        querystring: DeliverySearchOfOne,
        response: answers({ 200: Page }),
      },
    },
    async ({ ctx, params: { webhookID }, query }) => {
      await requireWebhook(ctx, webhookID)
      return ok(await listDeliveries(ctx, { ...query, webhook_id: webhookID }))
    },
  )

  app.get(
    '/webhook_deliveries/:deliveryID',
    {
      config,
      schema: {
        tags,
        ...neverNotModified,
        operationId: 'getWebhookDelivery',
        summary: 'Get a delivery',
        description:
          'Answers a delivery with the body, and with the header fields and the answer of each attempt. Of the address those who do not administer see the host; a delivery of an event that the caller may not read is a 404.',
        params: ofDelivery,
        response: answers({ 200: Type.Object({ webhook_delivery: Type.Ref('WebhookDeliveryDetail') }) }),
      },
    },
    async ({ ctx, params: { deliveryID } }) => {
      const found = await findDeliveryWithEvent(ctx, deliveryID)
      if (
        !found ||
        !isReadable(readableBy(needs, ctx), {
          type: found.type,
          subject_type: JSON.parse(found.event).subject.type,
          json: found.event,
        })
      )
        throw notFound('delivery', deliveryID)
      return ok(`{"webhook_delivery":${withRequests(found, !ctx.rights || ctx.rights.has('administer'))}}`)
    },
  )

  app.post(
    '/webhook_deliveries/:deliveryID/redeliver',
    {
      config,
      schema: {
        tags,
        operationId: 'redeliverWebhookDelivery',
        summary: 'Send a delivery again',
        description:
          'Sends it now, also one that has succeeded or was given up, with the `webhook-id` that it had and all its retries. It needs the role admin.',
        params: ofDelivery,
        body: emptyBody,
        response: answers({ 200: Type.Object({ webhook_delivery: Type.Ref('WebhookDelivery') }) }),
      },
    },
    async ({ ctx, params: { deliveryID } }) => ok(`{"webhook_delivery":${await redeliver(ctx, deliveryID)}}`),
  )
}

/** What is sent to a webhook besides what happens: a test, and a span of events once more. */
export function sendingRoutes(app: App, nounsOf: NounsOf): void {
  app.post(
    '/webhooks/:webhookID/test',
    {
      config: { ...config, dryRun: false },
      schema: {
        tags,
        operationId: 'testWebhook',
        summary: 'Send a test event',
        description:
          'Sends a `webhook.test` event to this webhook now, whatever types it asks for. Answers its delivery: ask for that to see what came back. It needs the role admin.',
        params,
        body: emptyBody,
        response: answers({ 200: Type.Object({ webhook_delivery: Type.Ref('WebhookDelivery') }) }),
      },
    },
    async ({ ctx, params: { webhookID } }) => ok(`{"webhook_delivery":${await testWebhook(ctx, webhookID)}}`),
  )

  app.post(
    '/webhooks/:webhookID/replay',
    {
      config,
      schema: {
        tags,
        operationId: 'replayWebhook',
        summary: 'Send a span of events again',
        description:
          'Sends the events of a span once more, and those of it that were never sent, in the background. Each has the `webhook-id` that it had. It needs the role admin.',
        params,
        body: ReplayRequest,
        response: answers({ 202: Type.Object({ webhook_replay: Type.Ref('WebhookReplay') }) }),
      },
    },
    async ({ ctx, params: { webhookID }, body }) => ({
      ...ok(`{"webhook_replay":${await replay(ctx, webhookID, body, { nounsOf })}}`),
      status: 202,
    }),
  )
}

async function requireWebhook(ctx: Context, id: string): Promise<void> {
  if (!(await findRecord(ctx, id))) throw notFound('webhook', id)
}

type Attempt = { at: string; url: string; signature: string }

/** What was sent in each attempt, put together as it was then. */
function withRequests({ json, event_id, type, event }: DeliveryRow, isWhole: boolean): string {
  const delivery = JSON.parse(json) as { attempts: Attempt[] }
  const attempts = delivery.attempts.map(({ url, signature, ...attempt }) => ({
    ...attempt,
    request_url: isWhole ? url : `${new URL(url).protocol}//${new URL(url).host}/…`,
    request_headers: {
      ...fixedHeaders,
      'webhook-id': event_id,
      'webhook-timestamp': String(Math.floor(Date.parse(attempt.at) / 1000)),
      'webhook-signature': signature,
    },
  }))
  return JSON.stringify({ ...delivery, attempts, request_body: bodyOf({ id: event_id, type, json: event }) })
}
