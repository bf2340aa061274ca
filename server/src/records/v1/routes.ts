import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { scopeOf } from '../../platform/access/kind-scopes.ts'
import { envelopeOf, referenceParam } from '../../platform/core/schema/schema.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { snakeCase } from '../../platform/core/values/text.ts'
import { historyRoute, recordedBy } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { requireScope } from '../../platform/http/edge/authenticate.ts'
import { ignoredNames, type UnknownName } from '../../platform/http/input/ignored-names.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { isStrict } from '../../platform/http/input/preferences.ts'
import { answers, neverNotModified } from '../../platform/http/openapi/openapi.ts'
import type { Extension } from '../kinds/extension.ts'
import type { Fields } from '../model/object.ts'
import { type Query, querySchema } from './query.ts'
import { findOne, idOf, searchResource } from './read.ts'
import { type Resource, resources } from './resources.ts'
import { bodySchema, resourceSchema } from './schemas.ts'
import { createOne, removeOne, updateOne, type WriteTerms } from './write.ts'

/** The built-in kinds as v1 shows them, each from its definition. */
export const objectsInV1 = (extensions: readonly Extension[]) => async (app: App) => {
  for (const resource of resources) {
    app.addSchema(resourceSchema(resource))
    register(app, resource, extensions)
  }
}

function register(app: App, resource: Resource, extensions: readonly Extension[]): void {
  const { kind, many, one, label, labels, schema, param, example } = resource
  const config = { scope: kind.scope }
  const tags = [labels.replace(/^./, (letter) => letter.toUpperCase())]
  const params = referenceParam(param, label, example, `${kind.prefix}-1`)
  const One = Type.Object({ [one]: Type.Ref(schema) })
  const plural = many === one ? schema : `${schema}s`

  app.get(
    `/${many}`,
    {
      config: { ...config, costs: 'search' },
      schema: {
        tags,
        operationId: `search${plural}`,
        summary: `Search ${labels}`,
        description: `Finds the ${labels} of the organization that match every filter given, newest first by default, with the exact total. What was written before is found at once.`,
        querystring: querySchema(resource),
        response: answers({ 200: envelopeOf(many, Type.Ref(schema)) }),
      },
    },
    async ({ ctx, query }) => ok(await searchResource(ctx, resource, query as Query, extensions)),
  )

  app.post(
    `/${many}`,
    {
      config,
      schema: {
        tags,
        operationId: `create${schema}`,
        summary: `Create ${articled(label)}`,
        description: `Makes the same object that v2 knows as the kind \`${kind.objectKey}\`. An \`external_id\` is unique among ${labels}: a second one with it is a 409.`,
        body: bodySchema(resource, 'create'),
        response: answers({ 201: One }),
      },
    },
    async (request) => {
      const { id, ignored, unknown, ...made } = await createOne(
        request.ctx,
        resource,
        request.body,
        askedIn(request, extensions),
      )
      return created(record(one, made, naming(ignored, unknown)), `/api/v1/${many}/${id}`)
    },
  )

  app.get(
    `/${many}/:${param}`,
    {
      config,
      schema: {
        tags,
        ...(kind.readOnlyFields && neverNotModified),
        operationId: `get${schema}`,
        summary: `Get ${articled(label)}`,
        description: kind.readOnlyFields
          ? `Answers the ${label} by its id or external id. What the ${label} shows of its bill is no part of its revision, so it is always answered whole.`
          : `Answers ${articled(label)} by its id or external id. With the ETag at hand in \`If-None-Match\` the answer is 304.`,
        params,
        response: answers({ 200: One }),
      },
    },
    async (request) => ({
      ...record(one, await findOne(request.ctx, resource, named(request, param))),
      shifting: kind.readOnlyFields !== undefined,
    }),
  )

  app.put(
    `/${many}/:${param}`,
    {
      config,
      preValidation: unwrap(one),
      schema: {
        tags,
        operationId: `update${schema}`,
        summary: `Update ${articled(label)}`,
        description:
          'Only the fields that are sent apply; null clears; an address or a list is replaced whole. What was read can be sent back whole: what changes nothing leaves `revision` and `updated_at` alone. What is not the client’s to set is ignored and named in X-Ignored-Fields. `If-Match` guards against overwriting another’s change.',
        params,
        body: bodySchema(resource, 'update'),
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { ignored, unknown, ...updated } = await updateOne(
        request.ctx,
        resource,
        named(request, param),
        request.body,
        expectedIn(request),
        askedIn(request, extensions),
      )
      return record(one, updated, naming(ignored, unknown))
    },
  )

  app.delete(
    `/${many}/:${param}`,
    {
      config,
      schema: {
        tags,
        operationId: `delete${schema}`,
        summary: `Delete ${articled(label)}`,
        description: `Deletes the ${label}. It is refused with 409 while other objects refer to it, saying which. It can be restored in v2.`,
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeOne(request.ctx, resource, named(request, param), expectedIn(request), extensions)
      return noContent
    },
  )

  historyRoute(app, {
    ...{ path: `/${many}/:${param}`, config, tags, params, name: schema, one: articled(label) },
    note: 'Of one that was deleted too, by its id. `data` and `previous` have the names of v2, as in the change feed.',
    recordIn(request) {
      const sent = (request.params as Record<string, string>)[param] as string
      return recordedBy(named(request, param), {
        type: snakeCase(kind.objectKey),
        what: label,
        sent,
        find: (reference) => idOf(request.ctx, resource, reference),
      })
    },
  })
}

function named({ params }: Pick<FastifyRequest, 'params'>, param: string): Reference {
  return referenceIn((params as Record<string, string>)[param] as string, param, 'any')
}

function askedIn(request: FastifyRequest, extensions: readonly Extension[]): WriteTerms {
  return { extensions, strict: isStrict(request), reach: (objectKey) => requireScope(request, scopeOf(objectKey)) }
}

/** A client may send the whole answer back: then the record in it is meant, if it is the only key. */
function unwrap(one: string) {
  return async (request: { body: unknown }): Promise<void> => {
    const { body } = request
    if (typeof body !== 'object' || body === null || Object.keys(body).join() !== one) return
    const inner = (body as Fields)[one]
    if (typeof inner === 'object' && inner !== null) request.body = inner
  }
}

function naming(ignored: readonly string[], unknown: readonly UnknownName[]): Record<string, string> {
  const names = [...ignored, ...(unknown.length > 0 ? [ignoredNames(unknown)] : [])]
  return names.length > 0 ? { 'x-ignored-fields': names.join(', ') } : {}
}

function articled(label: string): string {
  return label === 'equipment' ? 'equipment' : `${/^[aeiou]/.test(label) ? 'an' : 'a'} ${label}`
}
