import Type from 'typebox'
import { envelopeOf, Id, paging } from '../../platform/core/schema/schema.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { listApprovers } from './approvers-store.ts'

const Approver = Type.Object(
  { id: Id('The user.'), name: Type.String({ description: 'What they are called.', examples: ['Avery Brooks'] }) },
  { $id: 'Approver', description: 'A user whose role allows to approve bills.' },
)
const ApproverSearch = Type.Object(paging)

/** To whom approvals can be delegated. Not a search of users: that is for admins, and has their addresses. */
export function approverRoutes(app: App): void {
  app.addSchema(Approver)
  app.get(
    '/approvers',
    {
      config: { scope: 'bills' },
      schema: {
        tags: ['Approvals'],
        operationId: 'searchApprovers',
        summary: 'List who may approve',
        description:
          'Lists the enabled users whose role allows to approve bills, newest first: those to whom approvals can be delegated.',
        querystring: ApproverSearch,
        response: answers({ 200: envelopeOf('approvers', Type.Ref('Approver')) }),
      },
    },
    async ({ ctx, query }) => ok(await listApprovers(ctx, query)),
  )
}
