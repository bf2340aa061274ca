import Type from 'typebox'
import { envelopeOf } from '../platform/core/schema/schema.ts'
import { ok } from '../platform/http/answers/answers.ts'
import type { App } from '../platform/http/edge/app.ts'
import { answers } from '../platform/http/openapi/openapi.ts'
import type { Extension } from './kinds/extension.ts'
import { config, scopeCheck, scopeNote, tags } from './paths.ts'
import { ListQuery, readListQuery, SearchBody } from './search/schemas.ts'
import { searchObjects } from './search/search.ts'

export function searchRoutes(app: App, extensions: readonly Extension[]): void {
  app.get(
    '/objects',
    {
      config: { ...config, costs: 'search' },
      schema: {
        tags,
        operationId: 'listObjects',
        summary: 'List objects of a kind',
        description: `Lists objects of a kind, newest first, with the exact total. For conditions on any field there is \`filter\`, or POST …/objects/search. ${scopeNote}`,
        querystring: ListQuery,
        response: answers({ 200: envelopeOf('objects', Type.Ref('PlatformObject'), 'nextAfter') }),
      },
    },
    async (request) =>
      ok(
        await searchObjects(request.ctx, request.query.objectKey, readListQuery(request.query), {
          extensions,
          permit: scopeCheck(request),
        }),
      ),
  )

  app.post(
    '/objects/search',
    {
      config: { ...config, costs: 'search', access: 'read' },
      schema: {
        tags,
        operationId: 'searchObjects',
        summary: 'Search objects of a kind',
        description: `Finds objects by any field, compared and combined: \`{ "and": […] }\`, \`{ "or": […] }\`, \`{ "not": … }\`, \`{ "field", "op", "value" }\`. What was written before is found at once. ${scopeNote}`,
        body: SearchBody,
        response: answers({ 200: envelopeOf('objects', Type.Ref('PlatformObject'), 'nextAfter') }),
      },
    },
    async (request) => {
      const { objectKey, ...search } = request.body
      return ok(
        await searchObjects(request.ctx, objectKey, search as never, {
          extensions,
          permit: scopeCheck(request),
        }),
      )
    },
  )
}
