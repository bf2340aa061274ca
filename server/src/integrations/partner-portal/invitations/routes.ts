import Type from 'typebox'
import { createUser } from '../../../identity/users/actions.ts'
import { envelopeOf } from '../../../platform/core/schema/schema.ts'
import { created, ok, record } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { noteVisits } from '../../../platform/security-log/visitor.ts'
import { base, tags } from '../paths.ts'
import { Invitation, InvitationSearch, NewInvitation } from './model.ts'
import { listInvitations } from './store.ts'

/** Whoever invites makes users, which takes an admin everywhere. */
const config = { scope: 'partner_portal', right: 'administer' } as const
const all = `${base}/invitations`

const Invited = Type.Object({
  user: Type.Ref('User'),
  invitation_url: Type.Union([Type.String(), Type.Null()], {
    description:
      'The link that lets them in, which is mailed to them too; good for 7 days, shown this once, and null in a replay.',
    examples: [null],
  }),
})

export const portalInvitations =
  ({ authUrl, hasMailServer }: { authUrl: string; hasMailServer: boolean }) =>
  async (app: App) => {
    app.addSchema(Invitation)
    noteVisits(app)

    app.get(
      all,
      {
        config,
        schema: {
          tags,
          operationId: 'searchPortalInvitations',
          summary: 'Search the people of carriers',
          description:
            'Lists everyone who was invited to the partner portal, newest first, with the exact total. It needs the role admin.',
          querystring: InvitationSearch,
          response: answers({ 200: envelopeOf('invitations', Type.Ref('PortalInvitation')) }),
        },
      },
      async ({ ctx, query }) => ok(await listInvitations(ctx, query)),
    )

    app.post(
      all,
      {
        config: { ...config, dryRun: false },
        schema: {
          tags,
          operationId: 'createPortalInvitation',
          summary: 'Invite somebody of a carrier',
          description:
            'Invites a person to the partner portal as a user with the role partner, who sees what is this carrier’s and nothing else. The link is mailed to them, as to every user. They are shut out by `POST /users/{userID}/disable`, and invited again by `POST /users/{userID}/invite`. It needs the role admin.',
          body: NewInvitation,
          response: answers({ 201: Invited }),
        },
      },
      async ({ ctx, body }) => {
        const { id, json, revision, invitation } = await createUser(ctx, { ...body, role: 'partner' }, { authUrl })
        const withLink = (url: string | null) => `{"user":${json},"invitation_url":${JSON.stringify(url)}}`
        const answer = {
          ...record('user', { json, revision }),
          body: withLink(invitation && !hasMailServer ? `${authUrl}/invitation/${invitation}` : null),
          kept: withLink(null),
        }
        return created(answer, `/api/v1/users/${id}`)
      },
    )
  }
