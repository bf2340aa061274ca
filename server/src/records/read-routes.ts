import Type from 'typebox'
import { scopeOf } from '../platform/access/kind-scopes.ts'
import { type Answer, revised } from '../platform/http/answers/answers.ts'
import type { App } from '../platform/http/edge/app.ts'
import { requireScope } from '../platform/http/edge/authenticate.ts'
import { refuseUnstorable } from '../platform/http/input/params.ts'
import { answers } from '../platform/http/openapi/openapi.ts'
import { builtInKind } from './kinds/built-in.ts'
import type { ObjectReference } from './model/object.ts'
import { config, type ObjectRequest, params, readReference, requireSeen, scopeCheck, scopeNote, tags } from './paths.ts'
import { AnyObject } from './schemas.ts'
import { findChosen } from './search/search.ts'
import { findObject } from './single/store.ts'

const paths = Type.Optional(
  Type.Array(Type.String({ maxLength: 500 }), {
    maxItems: 100,
    description: 'The fields to answer, through references too: `name,customerId.name`. `*` is all of them.',
    examples: [['fullId', 'name']],
  }),
)

export function readRoutes(app: App): void {
  app.get(
    '/objects/:objectID',
    {
      config,
      schema: {
        tags,
        operationId: 'getObject',
        summary: 'Get an object',
        description: `Answers the whole object, or what \`paths\` asks for. ${scopeNote}`,
        params,
        querystring: Type.Object({ paths }),
        response: answers({ 200: AnyObject }),
      },
    },
    (request) => answerTo(request, readReference(request.params.objectID), request.query.paths),
  )

  app.get(
    '/objects/:objectKey/:externalId/external',
    {
      config,
      schema: {
        tags,
        operationId: 'getObjectByExternalId',
        summary: 'Get an object by its externalId',
        description: `Answers an object by its kind and the id it has elsewhere (percent-encoded). ${scopeNote}`,
        params: Type.Object({
          objectKey: Type.String({ description: 'The kind of object.', examples: ['customer'] }),
          externalId: Type.String({ description: 'The id it has elsewhere.', examples: ['ERP-1001'] }),
        }),
        querystring: Type.Object({ paths }),
        response: answers({ 200: AnyObject }),
      },
    },
    async (request) => {
      const { objectKey, externalId } = request.params
      refuseUnstorable(request.params)
      requireScope(request, scopeOf(objectKey))
      return answerTo(request, { by: 'externalId', objectKey, externalId }, request.query.paths)
    },
  )
}

/** Objects that paths lead to and read-only fields change without a new version of the object. */
async function answerTo(
  request: ObjectRequest,
  reference: ObjectReference,
  paths: readonly string[] | undefined,
): Promise<Answer> {
  const found = requireSeen(request, reference, await findObject(request.ctx, reference))
  if (paths) return { ...revised(await findChosen(request.ctx, found, paths, scopeCheck(request))), shifting: true }
  return { ...revised(found), shifting: builtInKind(found.object_key)?.readOnlyFields !== undefined }
}
