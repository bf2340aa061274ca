import type { Settings } from '../../settings.ts'
import { notFound } from '../core/refusal.ts'
import { apart, envelopeOf, Id } from '../core/schema/schema.ts'
import Type from '../core/schema/type.ts'
import type { Needs } from '../events/feed/readable.ts'
import { deletedToo, historyRoute } from '../events/history/history-route.ts'
import { type Answer, created, noContent, ok, record } from '../http/answers/answers.ts'
import { expectedIn } from '../http/answers/conditional.ts'
import type { App } from '../http/edge/app.ts'
import { optional } from '../http/input/json-body.ts'
import { naming, unwrap } from '../http/input/whole-bodies.ts'
import { answers, neverNotModified } from '../http/openapi/openapi.ts'
import { noteVisits } from '../security-log/visitor.ts'
import {
  createWebhook,
  removeWebhook,
  replay,
  rotateSecret,
  testWebhook,
  updateWebhook,
  type WithSecret,
} from './actions.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import type { NounsOf } from './known-types.ts'
import {
  Delivery,
  DeliveryDetail,
  NewWebhook,
  Replay,
  ReplayRequest,
  SecretRotation,
  Webhook,
  WebhookEdit,
  WebhookRecord,
  WebhookSearch,
} from './model.ts'
import { findWebhook, listWebhooks } from './store.ts'

const config = { scope: 'webhooks', rightToWrite: 'administer' } as const
const tags = ['Webhooks']
const params = Type.Object({ webhookID: Id('The webhook.') })
const One = Type.Object({ webhook: Type.Ref('Webhook') })
const OneWithSecret = Type.Object({
  webhook: Type.Intersect([
    Type.Ref('Webhook'),
    Type.Object({
      secret: Type.Union([Type.String(), Type.Null()], {
        description: 'Signs the deliveries. Shown this once; null where the answer is repeated for an Idempotency-Key.',
        examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0p6+RTk1c4Y='],
      }),
    }),
  ]),
})

export const webhooks =
  (
    { webhooks: { allowPrivate } }: Pick<Settings, 'webhooks'>,
    { needs, nounsOf }: { needs: Needs; nounsOf: NounsOf },
  ) =>
  async (app: App): Promise<void> => {
    for (const schema of [Webhook, WebhookRecord, Delivery, DeliveryDetail, Replay]) app.addSchema(schema)
    noteVisits(app)
    deliveryRoutes(app, needs)
    const rules = { allowPrivate, nounsOf, needs }

    app.get(
      '/webhooks',
      {
        config,
        schema: {
          tags,
          operationId: 'searchWebhooks',
          summary: 'List webhooks',
          description:
            'Lists the webhooks of the organization with how their deliveries go, the newest first. Of their addresses, which may hold secrets, those who do not administer see the host.',
          querystring: WebhookSearch,
          response: answers({ 200: envelopeOf('webhooks', Type.Ref('Webhook')) }),
        },
      },
      async ({ ctx, query }) => ok(await listWebhooks(ctx, query)),
    )

    app.post(
      '/webhooks',
      {
        config: { ...config, dryRun: false },
        schema: {
          tags,
          operationId: 'createWebhook',
          summary: 'Create a webhook',
          description:
            'The `secret` is in this answer and nowhere else. Events that are published from now on are sent. The token needs the scopes of what `event_types` names. It needs the role admin.',
          body: NewWebhook,
          response: answers({ 201: OneWithSecret }),
        },
      },
      async ({ ctx, body }) => {
        const made = await createWebhook(ctx, body, rules)
        return created(withSecret(made), `/api/v1/webhooks/${made.id}`)
      },
    )

    app.get(
      '/webhooks/:webhookID',
      {
        config,
        schema: {
          tags,
          ...neverNotModified,
          operationId: 'getWebhook',
          summary: 'Get a webhook',
          description:
            'Answers one webhook with how its deliveries go. Of its address, which may hold a secret, those who do not administer see the host.',
          params,
          response: answers({ 200: One }),
        },
      },
      async ({ ctx, params: { webhookID } }) => {
        const found = await findWebhook(ctx, webhookID)
        if (!found) throw notFound('webhook', webhookID)
        return { ...record('webhook', found), shifting: true }
      },
    )

    historyRoute(app, {
      ...{ path: '/webhooks/:webhookID', config: { ...config, right: 'administer' }, tags, params },
      ...{ name: 'Webhook', one: 'a webhook', note: `${deletedToo} It needs the role admin.` },
      recordIn({ ctx, params }) {
        const { webhookID: id } = params as { webhookID: string }
        return {
          type: 'webhook',
          id,
          isThere: async () => Boolean(await findWebhook(ctx, id)),
          unknown: () => notFound('webhook', id),
        }
      },
    })

    app.put(
      '/webhooks/:webhookID',
      {
        config,
        preValidation: unwrap('webhook'),
        schema: {
          tags,
          operationId: 'updateWebhook',
          summary: 'Update a webhook',
          description:
            'Only the fields that are sent apply. `enabled` disables and enables it: what is published while it is disabled is not sent by itself. It needs the role admin.',
          params,
          body: WebhookEdit,
          response: answers({ 200: One }),
        },
      },
      async (request) => {
        const { input, ignored } = apart(WebhookEdit, request.body)
        return record(
          'webhook',
          await updateWebhook(request.ctx, request.params.webhookID, input, expectedIn(request), rules),
          naming(ignored),
        )
      },
    )

    app.delete(
      '/webhooks/:webhookID',
      {
        config,
        schema: {
          tags,
          operationId: 'deleteWebhook',
          summary: 'Delete a webhook',
          description: 'Deletes the webhook with its deliveries. Nothing more is sent to it. It needs the role admin.',
          params,
          response: answers({ 204: Type.Null() }),
        },
      },
      async (request) => {
        await removeWebhook(request.ctx, request.params.webhookID, expectedIn(request))
        return noContent
      },
    )

    app.post(
      '/webhooks/:webhookID/rotate_secret',
      {
        config: { ...config, dryRun: false },
        schema: {
          tags,
          operationId: 'rotateWebhookSecret',
          summary: 'Rotate the secret',
          description:
            'Answers a new `secret`, shown this once. For `overlap_seconds` deliveries carry the signatures of both. It needs the role admin.',
          params,
          body: optional(SecretRotation),
          response: answers({ 200: OneWithSecret }),
        },
      },
      async ({ ctx, params: { webhookID }, body }) =>
        withSecret(await rotateSecret(ctx, webhookID, body.overlap_seconds ?? 86_400)),
    )

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
          body: optional(Type.Object({})),
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
        ...ok(`{"webhook_replay":${await replay(ctx, webhookID, body, rules)}}`),
        status: 202,
      }),
    )
  }

/** A replay for an Idempotency-Key does not show the secret again: rotate it if the first answer was lost. */
function withSecret({ secret, json, revision }: WithSecret): Answer {
  const withField = (shown: string | null) =>
    record('webhook', { revision, json: `${json.slice(0, -1)},"secret":${JSON.stringify(shown)}}` })
  return { ...withField(secret), kept: withField(null).body as string }
}
