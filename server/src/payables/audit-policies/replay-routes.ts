import Type from 'typebox'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { Replay, Replayed } from './model.ts'
import { replay } from './replay.ts'

export async function auditReplay(app: App): Promise<void> {
  app.addSchema(Replayed)

  app.post(
    '/audit_policies/replay',
    {
      config: { scope: 'bills', access: 'read' },
      schema: {
        tags: ['Audit policies'],
        operationId: 'replayAuditPolicy',
        summary: 'Try an audit policy on the past',
        description:
          'Answers what a policy would have done to the carrier invoices received in the last days: what would have been paid by itself, what would have been held for a person, and how much too much it would have caught, next to the same under the policies that there are. It is computed from the comparisons that the audits kept, and changes nothing.',
        body: Replay,
        response: answers({ 200: Type.Object({ replay: Type.Ref('AuditReplay') }) }),
      },
    },
    async ({ ctx, body }) => ok(JSON.stringify({ replay: await replay(ctx, body as Replay) })),
  )
}
