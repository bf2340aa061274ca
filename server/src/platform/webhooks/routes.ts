import Type from 'typebox'
import type { Settings } from '../../settings.ts'
import { notFound } from '../core/refusal.ts'
import { envelopeOf, separateIgnored } from '../core/schema/schema.ts'
import type { Needs } from '../events/feed/readable.ts'
import { deletedToo, historyRoute } from '../events/history/history-route.ts'
import { created, noContent, ok, record } from '../http/answers/answers.ts'
import { expectedIn } from '../http/answers/conditional.ts'
import type { App } from '../http/edge/app.ts'
import { naming, unwrap } from '../http/input/whole-bodies.ts'
import { answers, neverNotModified } from '../http/openapi/openapi.ts'
import { noteVisits } from '../security-log/visitor.ts'
import { createWebhook, removeWebhook, updateWebhook } from './actions.ts'
import { deliveryRoutes, sendingRoutes } from './delivery-routes.ts'
import type { NounsOf } from './known-types.ts'
import {
  Delivery,
  DeliveryDetail,
  NewWebhook,
  Replay,
  Webhook,
  WebhookEdit,
  WebhookRecord,
  WebhookSearch,
} from './model.ts'
import { config, params, tags } from './paths.ts'
import { OneWithSecret, rotateSecretRoute, withSecret } from './secret-routes.ts'
import { findWebhook, listWebhooks } from './store.ts'

const One = Type.Object({ webhook: Type.Ref('Webhook') })

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
        const { input, ignored } = separateIgnored(WebhookEdit, request.body)
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

    rotateSecretRoute(app)
    sendingRoutes(app, nounsOf)
  }
