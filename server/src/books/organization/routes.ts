import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { separateIgnored } from '../../platform/core/schema/schema.ts'
import { historyRoute } from '../../platform/events/history/history-route.ts'
import { record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
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
        const { input, ignored } = separateIgnored(OrganizationEdit, request.body)
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
