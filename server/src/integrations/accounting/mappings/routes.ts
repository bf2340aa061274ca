import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { envelopeOf, Id } from '../../../platform/core/schema/schema.ts'
import { ok } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { optional } from '../../../platform/http/input/json-body.ts'
import { answers, neverNotModified } from '../../../platform/http/openapi/openapi.ts'
import { remoteLists } from '../catalogue.ts'
import { requireConnection } from '../connections/reading.ts'
import type { Parts } from '../connections/tokens.ts'
import { config, one, params, tags } from '../paths.ts'
import { checkConnection } from '../syncs/actions.ts'
import { setMappings } from './actions.ts'
import { Check, CheckBody, Mapping, MappingSearch, MappingsBody } from './kept/model.ts'
import { nameMapped } from './naming.ts'
import { listRemote } from './remote.ts'
import { listMappings } from './store.ts'

export const mappings = (parts: Parts) => async (app: App) => {
  app.addSchema(Mapping)

  app.get(
    `${one}/mappings`,
    {
      config,
      schema: {
        tags,
        operationId: 'searchConnectorMappings',
        summary: 'Search mappings',
        description: 'Lists the records of a kind by their names, with what each is in the accounting system.',
        params,
        querystring: MappingSearch,
        response: answers({ 200: envelopeOf('mappings', Type.Ref('ConnectorMapping')) }),
      },
    },
    async ({ ctx, params: { connectionID }, query }) =>
      ok(await listMappings(ctx, await requireConnection(ctx, connectionID), query)),
  )

  app.post(
    `${one}/mappings`,
    {
      config,
      preValidation: ({ ctx, body }: FastifyRequest) => nameMapped(ctx, body),
      schema: {
        tags,
        operationId: 'setConnectorMappings',
        summary: 'Set mappings',
        description:
          'Says what records are in the accounting system, up to 500 at once, all of them or none. Those of pay terms are written to their `connector_mappings`. It needs the role admin.',
        params,
        body: MappingsBody,
        response: answers({ 200: Type.Object({ mappings: Type.Array(Type.Ref('ConnectorMapping')) }) }),
      },
    },
    async ({ ctx, params: { connectionID }, body }) =>
      ok(`{"mappings":${await setMappings(ctx, connectionID, body.mappings)}}`),
  )

  app.post(
    `${one}/check`,
    {
      config: { ...config, right: 'read', access: 'read' },
      schema: {
        tags,
        operationId: 'checkConnectorOrg',
        summary: 'Check what is not mapped',
        description:
          'Lists what a sync now would miss: records that are not mapped, settings that are not set. Nothing is sent, and nothing is asked there.',
        params,
        body: optional(CheckBody),
        response: answers({ 200: Check }),
      },
    },
    async ({ ctx, params: { connectionID }, body }) => ok(await checkConnection(ctx, connectionID, body ?? {})),
  )

  app.get(
    `${one}/remote/:list`,
    {
      config,
      schema: {
        tags,
        operationId: 'listConnectorRemote',
        ...neverNotModified,
        summary: 'List what the accounting system has',
        description:
          'Lists the vendors, customers, accounts, bank accounts, items, terms or tax codes of the accounting system, to choose mappings from. It asks there each time.',
        params: Type.Object({
          connectionID: Id('The connection.'),
          list: Type.Enum(remoteLists, { description: 'What to list.', examples: ['vendors'] }),
        }),
        response: answers({
          200: Type.Object({
            remote: Type.Array(
              Type.Object({
                id: Type.String({ description: 'The `remote_id` of mappings.', examples: ['56'] }),
                name: Type.String({ description: 'What it is called there.', examples: ['Cascade Carriers'] }),
                detail: Type.Unsafe<string | null>({
                  type: ['string', 'null'],
                  description: 'What tells it from others.',
                  examples: ['Expense'],
                }),
                is_active: Type.Boolean({ description: 'Whether it is in use there.', examples: [true] }),
              }),
              { description: 'By their names.' },
            ),
          }),
        }),
      },
    },
    async ({ ctx, params: { connectionID, list } }) =>
      ok(JSON.stringify({ remote: await listRemote(ctx, parts, connectionID, list) })),
  )
}
