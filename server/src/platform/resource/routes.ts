import Type from 'typebox'
import { notFound } from '../core/refusal.ts'
import { envelopeOf, separateIgnored } from '../core/schema/schema.ts'
import type { PlainReference } from '../core/values/ids.ts'
import { deletedToo, historyRoute, recordedBy } from '../events/history/history-route.ts'
import { created, noContent, ok, record } from '../http/answers/answers.ts'
import { expectedIn } from '../http/answers/conditional.ts'
import type { App } from '../http/edge/app.ts'
import { referenceIn } from '../http/input/params.ts'
import { naming, unwrap } from '../http/input/whole-bodies.ts'
import { answers } from '../http/openapi/openapi.ts'
import { createRecord, removeRecord, updateRecord } from './actions.ts'
import type { PlainRecord, Values } from './plain-record.ts'
import { findRecord, listRecords } from './store.ts'

/** All that can be done with a plain record: search, create, get, update, delete, and its history. */
export const plainRoutes = (plain: PlainRecord) => async (app: App) => {
  const { noun, plural, words, names, parameter, params, access, texts } = plain
  const tags = [plain.tag ?? `${words.many[0]?.toUpperCase()}${words.many.slice(1)}`]
  const toWrite = plain.accessToWrite ?? access
  const [all, one] = [`/${plural}`, `/${plural}/:${parameter}`]
  const One = Type.Object({ [noun]: Type.Ref(names.one) })
  const sentIn = (params: unknown) => (params as Record<string, string>)[parameter] as string
  const referenceOf = (params: unknown): PlainReference =>
    plain.externalId === undefined ? { by: 'id', id: sentIn(params) } : referenceIn(sentIn(params), parameter)

  app.addSchema(plain.schema)

  app.get(
    all,
    {
      config: access,
      schema: {
        tags,
        operationId: `search${names.many}`,
        summary: plain.summaryOfSearch ?? `Search ${words.many}`,
        description: texts.search,
        querystring: plain.search,
        response: answers({ 200: envelopeOf(plural, Type.Ref(names.one)) }),
      },
    },
    async ({ ctx, query }) => ok(await listRecords(ctx, plain, query as Values)),
  )

  app.post(
    all,
    {
      config: toWrite,
      schema: {
        tags,
        operationId: `create${names.one}`,
        summary: `Create ${words.aOne}`,
        description: texts.create,
        body: plain.create,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createRecord(ctx, plain, body as object)
      return created(record(noun, made), `/api/v1${all}/${id}`)
    },
  )

  app.get(
    one,
    {
      config: access,
      schema: {
        tags,
        operationId: `get${names.one}`,
        summary: `Get ${words.aOne}`,
        description: texts.get,
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params }) => {
      const found = await findRecord(ctx, plain, referenceOf(params))
      if (!found) throw notFound(words.one, sentIn(params))
      return record(noun, found)
    },
  )

  app.put(
    one,
    {
      config: toWrite,
      preValidation: unwrap(noun),
      schema: {
        tags,
        operationId: `update${names.one}`,
        summary: `Update ${words.aOne}`,
        description: texts.update,
        params,
        body: plain.update,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(plain.update, request.body as Values)
      const reference = referenceOf(request.params)
      const updated = await updateRecord(request.ctx, plain, reference, input, expectedIn(request))
      return record(noun, updated, naming(ignored))
    },
  )

  app.delete(
    one,
    {
      config: toWrite,
      schema: {
        tags,
        operationId: `delete${names.one}`,
        summary: `Delete ${words.aOne}`,
        description: texts.delete,
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeRecord(request.ctx, plain, referenceOf(request.params), expectedIn(request))
      return noContent
    },
  )

  historyRoute(app, {
    ...{ path: one, config: access, tags, params, name: names.one, one: words.aOne, note: deletedToo },
    recordIn: ({ ctx, params }) =>
      recordedBy(referenceOf(params), {
        ...{ type: noun, what: words.one, sent: sentIn(params) },
        find: async (reference) => JSON.parse((await findRecord(ctx, plain, reference))?.json ?? '{}').id,
      }),
  })
}
