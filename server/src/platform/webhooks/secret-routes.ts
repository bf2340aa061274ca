import Type from 'typebox'
import { named } from '../core/schema/names.ts'
import { type Answer, record } from '../http/answers/answers.ts'
import type { App } from '../http/edge/app.ts'
import { optional } from '../http/input/json-body.ts'
import { answers } from '../http/openapi/openapi.ts'
import { rotateSecret, type WebhookWithSecret } from './actions.ts'
import { SecretRotation } from './model.ts'
import { config, params, tags } from './paths.ts'

export const OneWithSecret = Type.Object({
  webhook: named(
    'WebhookWithSecret',
    Type.Intersect([
      Type.Ref('Webhook'),
      Type.Object({
        secret: Type.Union([Type.String(), Type.Null()], {
          description:
            'Signs the deliveries. Shown this once; null where the answer is repeated for an Idempotency-Key.',
          examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0p6+RTk1c4Y='],
        }),
      }),
    ]),
  ),
})

export function rotateSecretRoute(app: App): void {
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
}

/** A replay for an Idempotency-Key does not show the secret again: rotate it if the first answer was lost. */
export function withSecret({ secret, json, revision }: WebhookWithSecret): Answer {
  const withField = (shown: string | null) =>
    record('webhook', { revision, json: `${json.slice(0, -1)},"secret":${JSON.stringify(shown)}}` })
  return { ...withField(secret), kept: withField(null).body as string }
}
