import Type from 'typebox'
import { envelopeOf } from '../core/schema/schema.ts'
import { ok } from '../http/answers/answers.ts'
import type { App } from '../http/edge/app.ts'
import { answers } from '../http/openapi/openapi.ts'
import { SecurityEvent, SecurityEventSearch } from './model.ts'
import { listSecurityEvents } from './store.ts'

export async function securityEvents(app: App): Promise<void> {
  app.addSchema(SecurityEvent)

  app.get(
    '/security_events',
    {
      config: { scope: 'users', right: 'administer' },
      schema: {
        tags: ['Users'],
        operationId: 'searchSecurityEvents',
        summary: 'Search the security log',
        description:
          'Lists sign-ins that succeeded and failed, and changes of users, roles, applications, secrets and grants; the newest first. A sign-in of someone who is in several organizations is in the log of the one that they entered, a failed one in the logs of all, because it names none. It needs the role admin.',
        querystring: SecurityEventSearch,
        response: answers({ 200: envelopeOf('security_events', Type.Ref('SecurityEvent')) }),
      },
    },
    async ({ ctx, query }) => ok(await listSecurityEvents(ctx, query)),
  )
}
