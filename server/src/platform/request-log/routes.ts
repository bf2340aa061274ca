import Type from 'typebox'
import { notFound } from '../core/refusal.ts'
import { envelopeOf, Id } from '../core/schema/schema.ts'
import { ok, withFields } from '../http/answers/answers.ts'
import type { App } from '../http/edge/app.ts'
import { answers, neverNotModified } from '../http/openapi/openapi.ts'
import type { RequestLog } from './log.ts'
import { RequestLogEntry, RequestLogEntryWithAnswer, RequestLogSearch } from './model.ts'
import { findEntry, listEntries } from './store.ts'

const config = { scope: 'webhooks', right: 'administer' } as const
const tags = ['Request log']

export function requestLogRoutes(log: RequestLog): (app: App) => Promise<void> {
  return async (app) => {
    app.addSchema(RequestLogEntry)
    app.addSchema(RequestLogEntryWithAnswer)

    app.get(
      '/request_log',
      {
        config,
        schema: {
          tags,
          operationId: 'searchRequestLog',
          summary: 'Search the request log',
          description:
            'Lists the requests to the API of the last days that match every filter given, the newest first. Each is there within seconds of its answer; those that the same process answered, at once. Of an organization that makes very many, some are counted only: an entry with `not_kept` says how many. It needs the role admin.',
          querystring: RequestLogSearch,
          response: answers({ 200: envelopeOf('request_log', Type.Ref('RequestLogEntry')) }),
        },
      },
      async ({ ctx, token, query }) => {
        await log.flush(ctx.org)
        return ok(await listEntries(ctx, query, token))
      },
    )

    app.get(
      '/request_log/:entryID',
      {
        config,
        schema: {
          ...neverNotModified,
          tags,
          operationId: 'getRequestLogEntry',
          summary: 'Get an entry of the request log',
          description: 'Answers an entry by its id, with the beginning of what was answered. It needs the role admin.',
          params: Type.Object({ entryID: Id('The entry.') }),
          response: answers({ 200: Type.Object({ request_log_entry: Type.Ref('RequestLogEntryWithAnswer') }) }),
        },
      },
      async ({ ctx, token, params: { entryID } }) => {
        await log.flush(ctx.org)
        const found = await findEntry(ctx, entryID.toLowerCase(), token)
        if (!found) throw notFound('entry of the request log', entryID)
        return ok(`{"request_log_entry":${withFields(found.json, found.answer)}}`)
      },
    )
  }
}
