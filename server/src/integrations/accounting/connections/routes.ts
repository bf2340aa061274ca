import Type from 'typebox'
import { notFound } from '../../../platform/core/refusal.ts'
import { envelopeOf, separateIgnored } from '../../../platform/core/schema/schema.ts'
import { deletedToo, historyRoute } from '../../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../../platform/http/answers/answers.ts'
import { expectedIn } from '../../../platform/http/answers/conditional.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../../platform/http/input/whole-bodies.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { ConnectorSchema } from '../catalogue.ts'
import { all, config, One, one, params, tags } from '../paths.ts'
import { createConnection, removeConnection, updateConnection } from './actions.ts'
import { connectorRoute } from './connector-routes.ts'
import { Connection, ConnectionEdit, ConnectionSearch, NewConnection } from './model.ts'
import { signInRoutes } from './sign-in-routes.ts'
import { findConnection, listConnections } from './store.ts'
import type { Parts } from './tokens.ts'

export const connections = (parts: Parts) => async (app: App) => {
  app.addSchema(ConnectorSchema)
  app.addSchema(Connection)
  connectorRoute(app, parts)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchConnectorOrgs',
        summary: 'Search connections',
        description:
          'Lists the connections of the organization with accounting systems, newest first, with the exact total.',
        querystring: ConnectionSearch,
        response: answers({ 200: envelopeOf('connectors_orgs', Type.Ref('ConnectorOrg')) }),
      },
    },
    async ({ ctx, query }) => ok(await listConnections(ctx, query)),
  )

  app.post(
    all,
    {
      config,
      preValidation: unwrap('connector_org'),
      schema: {
        tags,
        operationId: 'createConnectorOrg',
        summary: 'Create a connection',
        description:
          'Makes the connection with an accounting system, of which an organization has one for each connector. An online one waits for a sign-in: `POST …/authorize` answers where. It needs the role admin.',
        body: NewConnection,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createConnection(ctx, parts.vault, body)
      return created(record('connector_org', made), `/api/v1${all}/${id}`)
    },
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getConnectorOrg',
        summary: 'Get a connection',
        description: 'Answers the connection. Its secrets are never answered, only which of them it has.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { connectionID } }) => {
      const found = await findConnection(ctx, connectionID)
      if (!found) throw notFound('connection', connectionID)
      return record('connector_org', found)
    },
  )

  app.put(
    one,
    {
      config,
      preValidation: unwrap('connector_org'),
      schema: {
        tags,
        operationId: 'updateConnectorOrg',
        summary: 'Update a connection',
        description:
          'Only the fields, and of `settings` and `secrets` only the keys, that are sent apply; null takes one away. It needs the role admin.',
        params,
        body: ConnectionEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(ConnectionEdit, request.body as object)
      const { connectionID } = request.params
      return record(
        'connector_org',
        await updateConnection(request.ctx, parts.vault, connectionID, input, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  app.delete(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteConnectorOrg',
        summary: 'Delete a connection',
        description:
          'Deletes a connection through which nothing was synced yet, with its mappings. Others can be disconnected. It needs the role admin.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeConnection(request.ctx, request.params.connectionID, expectedIn(request))
      return noContent
    },
  )

  signInRoutes(app, parts)

  historyRoute(app, {
    ...{ path: one, config, tags, params, name: 'ConnectorOrg', one: 'a connection', note: deletedToo },
    recordIn({ ctx, params }) {
      const { connectionID: id } = params as { connectionID: string }
      return {
        type: 'connector_org',
        id,
        isThere: async () => Boolean(await findConnection(ctx, id)),
        unknown: () => notFound('connection', id),
      }
    },
  })
}
