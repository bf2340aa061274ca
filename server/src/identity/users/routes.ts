import Type from 'typebox'
import type { Context } from '../../platform/context.ts'
import { invalid, notFound } from '../../platform/core/refusal.ts'
import { named } from '../../platform/core/schema/names.ts'
import { envelopeOf, Id, separateIgnored } from '../../platform/core/schema/schema.ts'
import { historyRoute } from '../../platform/events/history/history-route.ts'
import { type Answer, created, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { noteVisits } from '../../platform/security-log/visitor.ts'
import { type CreatedUser, createUser, disableUser, enableUser, inviteAgain, updateUser } from './actions.ts'
import { NewUser, User, UserEdit, UserSearch } from './model.ts'
import { findUser, listUsers } from './store.ts'

const config = { scope: 'users', right: 'administer' } as const
const tags = ['Users']
const params = Type.Object({ userID: Id('The user.') })
const One = Type.Object({ user: Type.Ref('User') })
const invitation_url = Type.Union([Type.String(), Type.Null()], {
  description:
    'The link that lets them in, to be passed on; good for 7 days, shown this once. Null when they have a first password, and where there is a mail server: then it is mailed to them, and to nobody else.',
  examples: [null],
})
const OneInvited = named('InvitedUser', Type.Object({ user: Type.Ref('User'), invitation_url }))

/** With `hasMailServer` links go to those whom they let in, and nobody makes up a password for them: who could would come in in their place. */
export function users({ authUrl, hasMailServer }: { authUrl: string; hasMailServer: boolean }) {
  return async (app: App): Promise<void> => {
    app.addSchema(User)
    noteVisits(app)
    const named = (summary: string, operationId: string, description: string) => ({
      config,
      schema: {
        tags,
        operationId,
        summary,
        description: `${description} It needs the role admin.`,
        params,
        response: answers({ 200: One }),
      },
    })

    app.get(
      '/users',
      {
        config,
        schema: {
          tags,
          operationId: 'searchUsers',
          summary: 'Search users',
          description: 'Lists the users of the organization, newest first. It needs the role admin.',
          querystring: UserSearch,
          response: answers({ 200: envelopeOf('users', Type.Ref('User')) }),
        },
      },
      async ({ ctx, query }) => ok(await listUsers(ctx, query)),
    )

    app.post(
      '/users',
      {
        config: { ...config, dryRun: false },
        schema: {
          tags,
          operationId: 'createUser',
          summary: 'Create or invite a user',
          description:
            'Invites a user: nobody becomes one without accepting. With a `password` they sign in with it once, and are asked for a password of their own. Otherwise they are mailed a link, where they choose one; without a mail server the answer carries it as `invitation_url`, to be passed on. With one there are no first passwords (400 `invited_by_mail`). Someone who has an account with this address enters its password there, and uses one password for both. It needs the role admin.',
          body: NewUser,
          response: answers({ 201: OneInvited }),
        },
      },
      async ({ ctx, body }) => {
        if (hasMailServer && body.password !== undefined) throw firstPasswordRefused()
        const made = await createUser(ctx, body, { authUrl })
        return created(invited(made), `/api/v1/users/${made.id}`)
      },
    )

    app.get(
      '/users/:userID',
      named('Get a user', 'getUser', 'Answers one user of the organization.'),
      async ({ ctx, params: { userID } }) => record('user', await read(ctx, userID)),
    )

    app.put(
      '/users/:userID',
      {
        config,
        preValidation: unwrap('user'),
        schema: {
          tags,
          operationId: 'updateUser',
          summary: 'Update a user',
          description:
            'Changes the name or the role; only the fields that are sent apply. The last admin stays one. It needs the role admin.',
          params,
          body: UserEdit,
          response: answers({ 200: One }),
        },
      },
      async (request) => {
        const { input, ignored } = separateIgnored(UserEdit, request.body)
        return record(
          'user',
          await updateUser(request.ctx, request.params.userID, input, expectedIn(request)),
          naming(ignored),
        )
      },
    )

    app.post(
      '/users/:userID/disable',
      named(
        'Disable a user',
        'disableUser',
        'They are shut out at once, their tokens dead. All admins are told by mail, also one who is shut out. The last admin cannot be disabled.',
      ),
      async (request) => record('user', await disableUser(request.ctx, request.params.userID, expectedIn(request))),
    )

    app.post(
      '/users/:userID/enable',
      named('Enable a user', 'enableUser', 'They can sign in again.'),
      async (request) => record('user', await enableUser(request.ctx, request.params.userID, expectedIn(request))),
    )

    app.post(
      '/users/:userID/invite',
      {
        config: { ...config, dryRun: false },
        schema: {
          tags,
          operationId: 'inviteUser',
          summary: 'Invite a user again',
          description:
            'Makes a new link for someone who has not joined yet; the old link, or the first password, is void. It needs the role admin.',
          params,
          response: answers({ 200: OneInvited }),
        },
      },
      async ({ ctx, params: { userID } }) => invited(await inviteAgain(ctx, userID, { authUrl })),
    )

    historyRoute(app, {
      ...{
        path: '/users/:userID',
        config,
        tags,
        params,
        name: 'User',
        one: 'a user',
        note: 'It needs the role admin.',
      },
      recordIn({ ctx, params }) {
        const { userID: id } = params as { userID: string }
        return {
          type: 'user',
          id,
          isThere: async () => Boolean(await findUser(ctx, id)),
          unknown: () => notFound('user', id),
        }
      },
    })
  }

  function invited({ json, revision, invitation }: CreatedUser): Answer {
    const withLink = (url: string | null) => `{"user":${json},"invitation_url":${JSON.stringify(url)}}`
    const answer = record('user', { json, revision })
    return {
      ...answer,
      body: withLink(invitation && !hasMailServer ? `${authUrl}/invitation/${invitation}` : null),
      kept: withLink(null),
    }
  }
}

function firstPasswordRefused() {
  const message =
    'Who is invited gets a link by mail and chooses a password of their own, so none can be made up for them: leave "password" out.'
  return invalid('password', 'invited_by_mail', message)
}

async function read(ctx: Context, id: string) {
  const found = await findUser(ctx, id)
  if (!found) throw notFound('user', id)
  return found
}
