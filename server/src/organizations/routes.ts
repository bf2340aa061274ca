import { notFound } from '../core/refusal.ts'
import { apart } from '../core/schema.ts'
import Type from '../core/type.ts'
import { historyRoute } from '../events/history-route.ts'
import { record } from '../http/answers.ts'
import type { App } from '../http/app.ts'
import { expectedIn } from '../http/conditional.ts'
import { answers } from '../http/openapi.ts'
import { naming, unwrap } from '../http/whole-bodies.ts'
import { type AfterUpdate, readOrganization, updateOrganization } from './actions.ts'
import { Organization, OrganizationEdit } from './model.ts'

const tags = ['Organization']
const One = Type.Object({ organization: Type.Ref('Organization') })

export const organization =
  (afterwards: readonly AfterUpdate[]) =>
  async (app: App): Promise<void> => {
    app.addSchema(Organization)

    app.get(
      '/organization',
      {
        config: { scope: 'any' },
        schema: {
          tags,
          operationId: 'getOrganization',
          summary: 'Get the organization',
          description: 'Answers the organization of the access token with its settings. Any good token will do.',
          response: answers({ 200: One }),
        },
      },
      async ({ ctx }) => record('organization', await readOrganization(ctx)),
    )

    app.put(
      '/organization',
      {
        config: { scope: 'users', right: 'administer' },
        preValidation: unwrap('organization'),
        schema: {
          tags,
          operationId: 'updateOrganization',
          summary: 'Update the organization',
          description:
            'Only the fields that are sent apply; null clears. Another home currency changes nothing of the documents that are there: they keep what they came to until they are repriced. It needs the role admin.',
          body: OrganizationEdit,
          response: answers({ 200: One }),
        },
      },
      async (request) => {
        const { input, ignored } = apart(OrganizationEdit, request.body)
        return record(
          'organization',
          await updateOrganization(request.ctx, input, expectedIn(request), afterwards),
          naming(ignored),
        )
      },
    )

    historyRoute(app, {
      ...{
        path: '/organization',
        config: { scope: 'any' as const },
        tags,
        params: Type.Object({}),
        name: 'Organization',
        one: 'the organization',
      },
      recordIn: ({ ctx }) => ({
        type: 'organization',
        id: ctx.org,
        isThere: async () => true,
        unknown: () => notFound('organization', ctx.org),
      }),
    })
  }
