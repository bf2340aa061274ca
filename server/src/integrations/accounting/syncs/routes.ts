import Type from 'typebox'
import { notFound } from '../../../platform/core/refusal.ts'
import { envelopeOf } from '../../../platform/core/schema/schema.ts'
import { type Answer, ok } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { optional } from '../../../platform/http/input/json-body.ts'
import { answers, neverNotModified } from '../../../platform/http/openapi/openapi.ts'
import { requireConnection } from '../connections/reading.ts'
import { OneSync, ofSyncs, oneSync, params, syncs as paths, syncParams, tags } from '../paths.ts'
import { cancelSync, retrySync, startSync } from './actions.ts'
import { ResultSearch, Sync, SyncBody, SyncResult, SyncSearch } from './queued/model.ts'
import { findSync, listResults, listSyncs } from './queued/store.ts'

export async function syncs(app: App): Promise<void> {
  app.addSchema(Sync)
  app.addSchema(SyncResult)

  app.get(
    paths,
    {
      config: ofSyncs,
      schema: {
        tags,
        operationId: 'searchConnectorSyncs',
        summary: 'Search syncs',
        description: 'Lists the syncs of a connection, newest first, with the exact total.',
        params,
        querystring: SyncSearch,
        response: answers({ 200: envelopeOf('syncs', Type.Ref('ConnectorSync')) }),
      },
    },
    async ({ ctx, params: { connectionID }, query }) => {
      await requireConnection(ctx, connectionID)
      return ok(await listSyncs(ctx, connectionID, query))
    },
  )

  app.post(
    paths,
    {
      config: ofSyncs,
      schema: {
        tags,
        operationId: 'startConnectorSync',
        summary: 'Start a sync',
        description:
          'Takes what has changed to the accounting system, payments included, and brings payments that were made there back. It answers at once and is worked off in the background, with a result for each record; a sync of the same connection waits for the one before it. After a crash of the server it goes on where it was, and nothing is made twice.',
        params,
        body: optional(SyncBody),
        response: answers({ 202: OneSync }),
      },
    },
    async ({ ctx, params: { connectionID }, body }) =>
      accepted(connectionID, await startSync(ctx, connectionID, body ?? {})),
  )

  app.get(
    oneSync,
    {
      config: ofSyncs,
      schema: {
        tags,
        operationId: 'getConnectorSync',
        ...neverNotModified,
        summary: 'Get a sync',
        description: 'Answers how far a sync is, and what came of its records.',
        params: syncParams,
        response: answers({ 200: OneSync }),
      },
    },
    async ({ ctx, params: { connectionID, syncID } }) => {
      const found = await findSync(ctx, connectionID, syncID)
      if (!found) throw notFound('sync', syncID)
      return ok(`{"sync":${found.json}}`)
    },
  )

  app.get(
    `${oneSync}/results`,
    {
      config: ofSyncs,
      schema: {
        tags,
        operationId: 'searchConnectorSyncResults',
        summary: 'Search the results of a sync',
        description: 'Lists what came of each record of a sync, in the order of the work.',
        params: syncParams,
        querystring: ResultSearch,
        response: answers({ 200: envelopeOf('results', Type.Ref('ConnectorSyncResult')) }),
      },
    },
    async ({ ctx, params: { connectionID, syncID }, query }) => {
      if (!(await findSync(ctx, connectionID, syncID))) throw notFound('sync', syncID)
      return ok(await listResults(ctx, syncID, query))
    },
  )

  app.post(
    `${oneSync}/retry`,
    {
      config: ofSyncs,
      schema: {
        tags,
        operationId: 'retryConnectorSync',
        summary: 'Try again what failed',
        description:
          'Starts another sync with the records of this one that failed, those that waited for a document, and those that it did not come to.',
        params: syncParams,
        response: answers({ 202: OneSync }),
      },
    },
    async ({ ctx, params: { connectionID, syncID } }) =>
      accepted(connectionID, await retrySync(ctx, connectionID, syncID)),
  )

  app.post(
    `${oneSync}/cancel`,
    {
      config: ofSyncs,
      schema: {
        tags,
        operationId: 'cancelConnectorSync',
        summary: 'Cancel a sync',
        description: 'Ends a sync that is running. What it has taken across stays there.',
        params: syncParams,
        response: answers({ 200: OneSync }),
      },
    },
    async ({ ctx, params: { connectionID, syncID } }) => ok(`{"sync":${await cancelSync(ctx, connectionID, syncID)}}`),
  )
}

function accepted(connection: string, sync: string): Answer {
  return {
    ...ok(`{"sync":${sync}}`),
    status: 202,
    headers: { location: `/api/v1/connectors_orgs/${connection}/syncs/${JSON.parse(sync).id}` },
  }
}
