import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { named } from '../../platform/core/schema/names.ts'
import { envelopeOf, separateIgnored } from '../../platform/core/schema/schema.ts'
import { deletedToo, historyRoute } from '../../platform/events/history/history-route.ts'
import { type Answer, created, noContent, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { noteVisits } from '../../platform/security-log/visitor.ts'
import {
  type ApplicationWithSecret,
  createApplication,
  removeApplication,
  rotateSecret,
  updateApplication,
} from './actions.ts'
import { enablingRoutes } from './enabling-routes.ts'
import { ApplicationEdit, ApplicationSearch, NewApplication, OAuthApplication, Rotation } from './model.ts'
import { config, One, ofOne, params, tags } from './paths.ts'
import { findApplication, listApplications } from './store.ts'

const OneWithSecret = Type.Object({
  oauth_application: named(
    'OAuthApplicationWithSecret',
    Type.Intersect([
      Type.Ref('OAuthApplication'),
      Type.Object({
        client_secret: Type.Union([Type.String(), Type.Null()], {
          description: 'Shown this once; null for a public application.',
          examples: ['h4qv…'],
        }),
      }),
    ]),
  ),
})

export async function oauthApplications(app: App): Promise<void> {
  app.addSchema(OAuthApplication)
  noteVisits(app)

  app.get(
    '/oauth_applications',
    {
      config,
      schema: {
        tags,
        operationId: 'searchOAuthApplications',
        summary: 'List OAuth applications',
        description: 'Lists the OAuth applications of the organization, newest first. It needs the role admin.',
        querystring: ApplicationSearch,
        response: answers({ 200: envelopeOf('oauth_applications', Type.Ref('OAuthApplication')) }),
      },
    },
    async ({ ctx, query }) => ok(await listApplications(ctx, query)),
  )

  app.post(
    '/oauth_applications',
    {
      config: { ...config, dryRun: false },
      schema: {
        tags,
        operationId: 'createOAuthApplication',
        summary: 'Create an OAuth application',
        description: 'The `client_secret` is in this answer and nowhere else. It needs the role admin.',
        body: NewApplication,
        response: answers({ 201: OneWithSecret }),
      },
    },
    async ({ ctx, body }) => {
      const made = await createApplication(ctx, body)
      return created(withSecret(made), `/api/v1/oauth_applications/${made.id}`)
    },
  )

  app.get(
    '/oauth_applications/:applicationID',
    ofOne('Get an OAuth application', 'getOAuthApplication', 'Answers one OAuth application.'),
    async ({ ctx, params: { applicationID } }) => {
      const found = await findApplication(ctx, applicationID)
      if (!found) throw notFound('OAuth application', applicationID)
      return record('oauth_application', found)
    },
  )

  app.put(
    '/oauth_applications/:applicationID',
    {
      config,
      preValidation: unwrap('oauth_application'),
      schema: {
        tags,
        operationId: 'updateOAuthApplication',
        summary: 'Update an OAuth application',
        description:
          'Only the fields that are sent apply. Taking a scope away, or changing `access`, ends the tokens that were given before. It needs the role admin.',
        params,
        body: ApplicationEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = separateIgnored(ApplicationEdit, request.body)
      return record(
        'oauth_application',
        await updateApplication(request.ctx, request.params.applicationID, input, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  app.delete(
    '/oauth_applications/:applicationID',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteOAuthApplication',
        summary: 'Delete an OAuth application',
        description:
          'Deletes the application. No token that it got is taken any more, from this moment on. It needs the role admin.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeApplication(request.ctx, request.params.applicationID, expectedIn(request))
      return noContent
    },
  )

  enablingRoutes(app)

  app.post(
    '/oauth_applications/:applicationID/rotate_secret',
    {
      config: { ...config, dryRun: false },
      schema: {
        tags,
        operationId: 'rotateOAuthApplicationSecret',
        summary: 'Rotate the client secret',
        description:
          'Answers a new `client_secret`, shown this once; the old one stays good for `overlap_seconds`. It needs the role admin.',
        params,
        body: optional(Rotation),
        response: answers({ 200: OneWithSecret }),
      },
    },
    async ({ ctx, params: { applicationID }, body }) =>
      withSecret(await rotateSecret(ctx, applicationID, body.overlap_seconds ?? 86_400)),
  )

  historyRoute(app, {
    ...{ path: '/oauth_applications/:applicationID', config, tags, params },
    ...{ name: 'OAuthApplication', one: 'an OAuth application', note: `${deletedToo} It needs the role admin.` },
    recordIn({ ctx, params }) {
      const { applicationID: id } = params as { applicationID: string }
      const unknown = () => notFound('OAuth application', id)
      return { type: 'oauth_application', id, isThere: async () => Boolean(await findApplication(ctx, id)), unknown }
    },
  })
}

/** A replay does not show the secret again: it is stored nowhere, so rotate it if the first answer was lost. */
function withSecret({ client_secret, json, revision }: ApplicationWithSecret): Answer {
  const withField = (secret: string | null) =>
    record('oauth_application', { revision, json: `${json.slice(0, -1)},"client_secret":${JSON.stringify(secret)}}` })
  return { ...withField(client_secret), kept: withField(null).body as string }
}
