import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelope, type FoundRecords, type Page, pageOf } from '../../platform/core/schema/pages.ts'
import { changedBetween, envelopeOf, paging, separateIgnored, wholeEdit } from '../../platform/core/schema/schema.ts'
import { historyRoute } from '../../platform/events/history/history-route.ts'
import { created, noContent, ok, revised } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { refuseUnstorable } from '../../platform/http/input/params.ts'
import { naming } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { builtInKind } from '../kinds/built-in.ts'
import type { Definition } from '../kinds/kind.ts'
import { createDefinition, definitionId, removeDefinition, updateDefinition } from './actions.ts'
import { DefinitionEdit, NewDefinition } from './input.ts'
import { definitionSchema, factsOf } from './json-schema.ts'
import { findDefinition, listDefinitions } from './read.ts'
import { DefinitionFacts, DefinitionSchema } from './schemas.ts'

const tags = ['Definitions']
const manage = { scope: 'services', rightToWrite: 'administer' } as const
/** A definition as it is read can be sent back. */
const WholeEdit = wholeEdit(DefinitionFacts, DefinitionEdit)
const params = Type.Object({ objectKey: Type.String({ description: 'The kind of object.', examples: ['customer'] }) })

export async function definitions(app: App): Promise<void> {
  app.addSchema(DefinitionFacts)
  app.addSchema(DefinitionSchema)

  app.get(
    '/definitions',
    {
      config: { scope: 'any' },
      schema: {
        tags,
        operationId: 'listDefinitions',
        summary: 'List the kinds of objects',
        description:
          'Lists the built-in kinds, with what the organization added to them, and its own. A built-in kind that nobody has used or changed has no time of change.',
        querystring: Type.Object({ ...changedBetween, ...paging }),
        response: answers({ 200: envelopeOf('definitions', Type.Ref('Definition'), 'nextAfter') }),
      },
    },
    async ({ ctx, query }) => {
      const page = pageOf('definitions', query, ['text'])
      return ok(envelope('definitions', foundIn(await listDefinitions(ctx, query), page), page, 'nextAfter'))
    },
  )

  app.post(
    '/definitions',
    {
      config: manage,
      schema: {
        tags,
        operationId: 'createDefinition',
        summary: 'Define a kind of object',
        description:
          'Makes a kind of the organization’s own. Objects of it can be made at once. It needs the role admin.',
        body: NewDefinition,
        response: answers({ 201: Type.Ref('DefinitionSchema') }),
      },
    },
    async ({ ctx, body }) => {
      const made = await createDefinition(ctx, body)
      return created(shown(made), `/api/v2/platformModel/definitions/${made.objectKey}`)
    },
  )

  app.get(
    '/definitions/:objectKey',
    {
      config: { scope: 'any' },
      schema: {
        tags,
        operationId: 'getDefinition',
        summary: 'Get the definition of a kind as JSON Schema',
        description:
          'Answers a JSON Schema (2020-12) that every object of the kind fits, as it is read. What the definition says beyond that is in `$defs.definition.const`.',
        params,
        response: answers({ 200: Type.Ref('DefinitionSchema') }),
      },
    },
    async ({ ctx, params }) => {
      refuseUnstorable(params)
      const { objectKey } = params
      const found = await findDefinition(ctx, objectKey)
      if (!found) throw notFound('kind of object', objectKey)
      return shown(found)
    },
  )

  app.put(
    '/definitions/:objectKey',
    {
      config: manage,
      preValidation: unwrap,
      schema: {
        tags,
        operationId: 'updateDefinition',
        summary: 'Change a kind of object',
        description:
          'Only what is sent applies; `fields` replaces the fields that the organization added. A field that is left out is hidden and keeps its values; it comes back with them when it is added again. A change that existing objects would not fit is refused with 409, saying how many. What was read can be sent back, changed. It needs the role admin.',
        params,
        body: WholeEdit,
        response: answers({ 200: Type.Ref('DefinitionSchema') }),
      },
    },
    async (request) => {
      refuseUnstorable(request.params)
      const { input, ignored } = separateIgnored(WholeEdit, request.body)
      const answer = shown(await updateDefinition(request.ctx, request.params.objectKey, input, expectedIn(request)))
      return { ...answer, headers: { ...answer.headers, ...naming(ignored) } }
    },
  )

  app.delete(
    '/definitions/:objectKey',
    {
      config: manage,
      schema: {
        tags,
        operationId: 'deleteDefinition',
        summary: 'Delete a kind of object',
        description:
          'Deletes a kind of the organization’s own that has no objects; it is refused with 409 otherwise. It needs the role admin.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      refuseUnstorable(request.params)
      await removeDefinition(request.ctx, request.params.objectKey, expectedIn(request))
      return noContent
    },
  )

  historyRoute(app, {
    ...{
      path: '/definitions/:objectKey',
      config: manage,
      tags,
      params,
      name: 'Definition',
      one: 'a kind of object',
      nextName: 'nextAfter',
    },
    note: 'Of a kind that was deleted too. A built-in kind has a history from its first change on.',
    recordIn({ ctx, params }) {
      const { objectKey } = params as { objectKey: string }
      refuseUnstorable({ objectKey })
      const unknown = () => notFound('kind of object', objectKey)
      return {
        type: 'definition',
        id: definitionId(ctx.org, objectKey),
        isThere: async () => Boolean(await findDefinition(ctx, objectKey)),
        unknown,
      }
    },
  })
}

/** A page of the definitions: the built-in kinds, then the others by their keys. Behind a kind that is gone by now come the kinds with larger keys. */
function foundIn(all: readonly Definition[], { offset, limit, after }: Page): FoundRecords {
  const [key] = (after ?? []) as string[]
  const last = all.findIndex(({ objectKey }) => objectKey === key)
  const larger = all.findIndex(({ objectKey }) => !builtInKind(objectKey) && objectKey > (key as string))
  const first = after === undefined ? offset : last >= 0 ? last + 1 : larger >= 0 ? larger : all.length
  const shown = all.slice(first, first + limit)
  const next = shown.length > 0 && first + limit < all.length ? JSON.stringify([shown.at(-1)?.objectKey]) : null
  return { list: JSON.stringify(shown.map(factsOf)), total: all.length, next }
}

function shown(definition: Definition) {
  return revised({ revision: definition.revision, json: JSON.stringify(definitionSchema(definition)) })
}

/** A definition sent back in the form in which it was read. */
async function unwrap(request: FastifyRequest): Promise<void> {
  const facts = (request.body as { $defs?: { definition?: { const?: unknown } } } | null)?.$defs?.definition?.const
  if (typeof facts === 'object' && facts !== null) request.body = facts
}
