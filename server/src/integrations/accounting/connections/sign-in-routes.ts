import Type from 'typebox'
import { ok, record } from '../../../platform/http/answers/answers.ts'
import { expectedIn } from '../../../platform/http/answers/conditional.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { config, One, one, params, tags } from '../paths.ts'
import { disconnect } from './actions.ts'
import { ConnectBody } from './model.ts'
import { beginSignIn, endSignIn } from './sign-in.ts'
import type { Parts } from './tokens.ts'

/** Signing in to an accounting system, and out of it. */
export function signInRoutes(app: App, parts: Parts): void {
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
}
