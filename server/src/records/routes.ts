import type { FastifyRequest } from 'fastify'
import { kindScopes, scopeOf } from '../platform/access/kind-scopes.ts'
import { invalid, notFound, quote } from '../platform/core/refusal.ts'
import { envelopeOf } from '../platform/core/schema/schema.ts'
import Type from '../platform/core/schema/type.ts'
import { parseReference, readId } from '../platform/core/values/ids.ts'
import { snakeCase } from '../platform/core/values/text.ts'
import { historyRoute } from '../platform/events/history/history-route.ts'
import { type Answer, noContent, ok, revised } from '../platform/http/answers/answers.ts'
import { expectedIn } from '../platform/http/answers/conditional.ts'
import type { App } from '../platform/http/edge/app.ts'
import { requireScope } from '../platform/http/edge/authenticate.ts'
import { optional } from '../platform/http/input/json-body.ts'
import { refuseUnstorable } from '../platform/http/input/params.ts'
import { answers } from '../platform/http/openapi/openapi.ts'
import { builtInKind } from './kinds/built-in.ts'
import type { Extension } from './kinds/extension.ts'
import { askedFor, type Fields, type ObjectReference } from './model/object.ts'
import { fieldsSent, onBoard } from './model/sent-fields.ts'
import { AnyObject, kindSchemas, NewObject, ObjectEdit, PlatformObject } from './schemas.ts'
import { ListQuery, readListQuery, SearchBody } from './search/schemas.ts'
import { findChosen, searchObjects } from './search/search.ts'
import { removeObject, restoreObject, updateObject, upsertObject, type Written } from './single/actions.ts'
import { type Found, findObject } from './single/store.ts'

const config = { scope: kindScopes }
const tags = ['Objects']
const params = Type.Object({
  objectID: Type.String({ description: 'The id of the object.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
})
const paths = Type.Optional(
  Type.Array(Type.String({ maxLength: 500 }), {
    maxItems: 100,
    description: 'The fields to answer, through references too: `name,customerId.name`. `*` is all of them.',
    examples: [['fullId', 'name']],
  }),
)
const scopeNote = 'The token needs the scope of the object’s kind.'

export const objects = (extensions: readonly Extension[]) => async (app: App) => {
  app.addSchema(PlatformObject)
  for (const schema of kindSchemas) app.addSchema(schema)

  app.patch(
    '/objects',
    {
      config,
      schema: {
        tags,
        operationId: 'upsertObject',
        summary: 'Create an object, or change the one with the same externalId',
        description: `Everything in \`json\` comes back at the top level of the object. A \`json.externalId\` that an object of this kind has already changes that object instead. A reference is an id, \`ext:\` and an external id, or a \`fullId\`; it is kept as the id. Its key may end in \`Id\`, \`ID\` or \`id\`. Keys that the server sets are ignored and named in \`errors\`. ${scopeNote}`,
        body: NewObject,
        response: answers({ 200: AnyObject }),
      },
    },
    async (request) => {
      const { boardId, objectKey, json } = request.body as { boardId?: string | null; objectKey: string; json: Fields }
      requireScope(request, scopeOf(objectKey))
      return answerOf(
        await upsertObject(request.ctx, objectKey, onBoard(json, boardId), expectedIn(request), {
          extensions,
          reach: permitting(request),
        }),
      )
    },
  )

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
          permit: permitting(request),
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
          permit: permitting(request),
        }),
      )
    },
  )

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
    (request) => answerTo(request, named(request.params.objectID), request.query.paths),
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

  app.put(
    '/objects/:objectID',
    {
      config,
      schema: {
        tags,
        operationId: 'updateObject',
        summary: 'Update an object',
        description: `Only the fields that are sent apply; null clears. The body is \`{ "json": { … } }\`, or the object itself as it was read. \`If-Match\` guards against overwriting another’s change. ${scopeNote}`,
        params,
        body: ObjectEdit,
        response: answers({ 200: AnyObject }),
      },
    },
    async (request) =>
      answerOf(
        await updateObject(
          request.ctx,
          named(request.params.objectID),
          fieldsSent(request.body as Fields),
          expectedIn(request),
          {
            extensions,
            permit: permitting(request),
            reach: permitting(request),
          },
        ),
      ),
  )

  app.delete(
    '/objects/:objectID',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteObject',
        summary: 'Delete an object',
        description: `Deletes the object; it can be restored. It is refused with 409 while others refer to it, saying which. ${scopeNote}`,
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeObject(request.ctx, named(request.params.objectID), expectedIn(request), {
        extensions,
        permit: permitting(request),
      })
      return noContent
    },
  )

  app.post(
    '/objects/:objectID/restore',
    {
      config,
      schema: {
        tags,
        operationId: 'restoreObject',
        summary: 'Restore a deleted object',
        description: `Brings the object back as it was. It is refused with 409 when its externalId or a unique value is taken by now, or something it refers to is gone. ${scopeNote}`,
        params,
        body: optional(Type.Object({})),
        response: answers({ 200: AnyObject }),
      },
    },
    async (request) =>
      answerOf(
        await restoreObject(request.ctx, byId(request.params.objectID).id, expectedIn(request), {
          permit: permitting(request),
          extensions,
        }),
      ),
  )

  historyRoute(app, {
    ...{
      path: '/objects/:objectID',
      config,
      tags,
      params,
      name: 'Object',
      one: 'an object',
      note: `Of a deleted object too. ${scopeNote}`,
      nextName: 'nextAfter',
    },
    async recordIn(request) {
      const reference = byId((request.params as { objectID: string }).objectID)
      const { id, object_key } = requireSeen(
        request,
        reference,
        await findObject(request.ctx, reference, { deleted: true }),
      )
      return { type: snakeCase(object_key), id, isThere: async () => true, unknown: () => notFound('object', id) }
    },
  })
}

/** `errors` names what was sent and ignored. */
function answerOf({ revision, json, ignored }: Written): Answer {
  return revised({ revision, json: `${json.slice(0, -1)},"errors":${JSON.stringify(ignored)}}` })
}

/** By its id, or by its fullId, such as `CUST-1`. */
function named(text: string): ObjectReference {
  const reference = parseReference(text, 'any')
  return reference?.by === 'number' ? { by: 'fullId', fullId: reference.full, number: reference.number } : byId(text)
}

function byId(text: string): { by: 'id'; id: string } {
  const id = readId(text)
  if (id === null) throw invalid('objectID', 'bad_uuid', `${quote(text)} is not the id of an object, which is a UUID.`)
  return { by: 'id', id }
}

function permitting(request: Pick<FastifyRequest, 'token'>): (objectKey: string) => void {
  return (objectKey) => requireScope(request, scopeOf(objectKey))
}

type Asking = Pick<FastifyRequest, 'ctx' | 'token'>

/** What was found, if it was and the caller may see its kind. */
function requireSeen(request: Asking, reference: ObjectReference, found: Found | undefined): Found {
  if (!found) throw notFound('object', askedFor(reference))
  requireScope(request, scopeOf(found.object_key))
  return found
}

/** Objects that paths lead to and read-only fields change without a new version of the object. */
async function answerTo(
  request: Asking,
  reference: ObjectReference,
  paths: readonly string[] | undefined,
): Promise<Answer> {
  const found = requireSeen(request, reference, await findObject(request.ctx, reference))
  if (paths) return { ...revised(await findChosen(request.ctx, found, paths, permitting(request))), shifting: true }
  return { ...revised(found), shifting: builtInKind(found.object_key)?.readOnlyFields !== undefined }
}
