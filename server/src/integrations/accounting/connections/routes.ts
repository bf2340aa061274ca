import { notFound } from '../../../platform/core/refusal.ts'
import { apart, envelopeOf } from '../../../platform/core/schema/schema.ts'
import Type from '../../../platform/core/schema/type.ts'
import { deletedToo, historyRoute } from '../../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../../platform/http/answers/answers.ts'
import { expectedIn } from '../../../platform/http/answers/conditional.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../../platform/http/input/whole-bodies.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { adapterOf, applicationOf } from '../adapters/online.ts'
import { ConnectorSchema, connectors } from '../catalogue.ts'
import { all, config, One, one, params, tags } from '../paths.ts'
import { createConnection, disconnect, removeConnection, updateConnection } from './actions.ts'
import { ConnectBody, Connection, ConnectionEdit, ConnectionSearch, NewConnection } from './model.ts'
import { beginSignIn, endSignIn } from './sign-in.ts'
import { findConnection, listConnections } from './store.ts'
import type { Parts } from './tokens.ts'

export const connections = (parts: Parts) => async (app: App) => {
  app.addSchema(ConnectorSchema)
  app.addSchema(Connection)

  app.get(
    '/connectors',
    {
      config: { scope: 'connectors_orgs' },
      schema: {
        tags,
        operationId: 'listConnectors',
        summary: 'List connectors',
        description: 'Lists the accounting systems that an organization can be connected with, and what each can do.',
        response: answers({ 200: Type.Object({ connectors: Type.Array(Type.Ref('Connector')) }) }),
      },
    },
    async () =>
      ok(
        JSON.stringify({
          connectors: connectors
            .map((connector) => ({ ...connector, has_application: hasApplication(parts, connector.id) }))
            .map(shown),
        }),
      ),
  )

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
      const { input, ignored } = apart(ConnectionEdit, request.body as object)
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

  app.post(
    `${one}/authorize`,
    {
      config: { ...config, dryRun: false, answerLogged: false },
      schema: {
        tags,
        operationId: 'authorizeConnectorOrg',
        summary: 'Begin to sign in to an accounting system',
        description:
          'Answers the address at which an admin signs in to the accounting system and allows the connection. It comes back to `redirect_uri` with a code, for `POST …/connect`, by the same user and within 15 minutes. Register `redirect_uri` with your application there. It needs the role admin.',
        params,
        response: answers({
          200: Type.Object({
            url: Type.String({
              description: 'Where to sign in.',
              examples: ['https://appcenter.intuit.com/connect/oauth2?…'],
            }),
            state: Type.String({ description: 'What it comes back with.', examples: ['WyIw…'] }),
            redirect_uri: Type.String({
              description: 'Where it comes back to.',
              examples: ['https://tms.example.com/settings/connections/callback'],
            }),
          }),
        }),
      },
    },
    async ({ ctx, params: { connectionID } }) => ok(JSON.stringify(await beginSignIn(ctx, parts, connectionID))),
  )

  app.post(
    `${one}/connect`,
    {
      config: { ...config, dryRun: false },
      schema: {
        tags,
        operationId: 'connectConnectorOrg',
        summary: 'End the sign-in to an accounting system',
        description:
          'Takes the code that the accounting system came back with, and connects. A connection stays with the company that it was first connected to. It takes no dry run, which would use the code up. It needs the role admin.',
        params,
        body: ConnectBody,
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record(
        'connector_org',
        await endSignIn(request.ctx, parts, request.params.connectionID, request.body, expectedIn(request)),
      ),
  )

  app.post(
    `${one}/disconnect`,
    {
      config,
      schema: {
        tags,
        operationId: 'disconnectConnectorOrg',
        summary: 'Disconnect',
        description:
          'Forgets the tokens of the connection. Its mappings, and what records are there, stay for the next sign-in. It needs the role admin.',
        params,
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record('connector_org', await disconnect(request.ctx, request.params.connectionID, expectedIn(request))),
  )

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

function hasApplication({ services }: Parts, id: string): boolean {
  const adapter = adapterOf(id)
  return adapter !== undefined && applicationOf(adapter, services, {}) !== null
}

function shown({ settings, ...connector }: (typeof connectors)[number] & { has_application: boolean }) {
  return {
    ...connector,
    settings: settings.map(({ name, description, example, list }) => ({ name, description, example, list })),
  }
}
