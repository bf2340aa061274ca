import Type from 'typebox'
import { countAttempt } from '../../../identity/passwords/throttle.ts'
import type { Authority } from '../../../identity/server/authority.ts'
import { type Issuance, signToken } from '../../../platform/access/tokens/access-token.ts'
import { Refusal } from '../../../platform/core/refusal.ts'
import { Id, nullable, Time } from '../../../platform/core/schema/schema.ts'
import type { Database } from '../../../platform/db/database.ts'
import { ok } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { openLink } from '../links/opening.ts'
import { asPartner, base, config, tags } from './paths.ts'

type Parts = { database: Database; authority: Authority; issuance: Issuance }

/** An access token of a link: the page gets another one while it is open. */
const mostSeconds = 900

const record = Type.Object(
  {
    type: Type.Enum(['manifest', 'bill'], { description: 'What it is.', examples: ['manifest'] }),
    id: Id('The record.'),
  },
  { description: 'The record that a link shows.' },
)

const Me = Type.Object({
  carrier: Type.Object({
    id: Id('The carrier.'),
    name: Type.String({ description: 'What it is called.', examples: ['Cascade Carriers'] }),
  }),
  organization: Type.Object({
    name: Type.String({ description: 'For whom the carrier drives.', examples: ['Blue Ridge Freight Brokers'] }),
  }),
  name: nullable(
    Type.String({ description: 'What the person is called; null for a signed link.', examples: ['Lee Park'] }),
  ),
  link: nullable(
    Type.Object(
      { record, expires_at: Time('Until when the link is good.') },
      { description: 'Of a signed link: what it shows.' },
    ),
  ),
})

/** Who asks, and the way from a signed link to a token. */
export const portalSessions =
  ({ database, authority, issuance }: Parts) =>
  async (app: App) => {
    app.get(
      `${base}/me`,
      {
        config,
        schema: {
          tags,
          operationId: 'getPortalMe',
          summary: 'Whom the portal speaks with',
          description: 'Answers which carrier the token is of, and of a signed link which record it shows.',
          response: answers({ 200: Me }),
        },
      },
      asPartner(async ({ carrier, carrierName, organization, name, link }) =>
        ok(
          JSON.stringify({
            carrier: { id: carrier, name: carrierName },
            organization: { name: organization },
            name,
            link: link && {
              record: link.manifest ? { type: 'manifest', id: link.manifest } : { type: 'bill', id: link.bill },
              expires_at: link.expires_at.toISOString(),
            },
          }),
        ),
      ),
    )

    app.post(
      `${base}/link_sessions`,
      {
        config: { scope: 'none', access: 'read' },
        schema: {
          tags,
          operationId: 'openPortalLink',
          summary: 'Open a signed link',
          description:
            'Exchanges the secret of a signed link, which is what stands behind the # of its address, for an access token of a quarter of an hour that reaches the record of the link and nothing else. It needs no token. A link that has expired or was revoked is answered 410; failed attempts are limited as those to sign in are.',
          security: [],
          body: Type.Object({
            token: Type.String({
              minLength: 1,
              maxLength: 200,
              description: 'The secret of the link.',
              examples: ['AZMrXm8AfDqdQS9qiwxOFc3l-Q4s0t.kd3'],
            }),
          }),
          response: answers({
            200: Type.Object({
              access_token: Type.String({
                description: 'The token, for the header Authorization.',
                examples: ['eyJhbGciOi…'],
              }),
              token_type: Type.Enum(['Bearer'], { description: 'How it is sent.', examples: ['Bearer'] }),
              expires_in: Type.Integer({ description: 'For how many seconds it is good.', examples: [900] }),
              record,
            }),
          }),
        },
      },
      async ({ body, ip }) => {
        const link = await openLink(database, body.token)
        if (!link) {
          // Only what is no link is counted: whoever tries many from a network keeps nobody there from opening theirs.
          await countAttempt(database.pool, { from: 'link', address: ip }, authority.clock())
          throw new Refusal(
            'not_found',
            'no_such_link',
            'There is no such link. Open it exactly as it was sent to you.',
          )
        }
        const { org, id, manifest_id, bill_id, state, seconds_left } = link
        if (state === 'revoked')
          throw new Refusal('gone', 'link_revoked', 'This link was revoked. Ask whoever sent it for a new one.')
        if (state === 'expired')
          throw new Refusal('gone', 'link_expired', 'This link has expired. Ask whoever sent it for a new one.')
        const seconds = Math.max(1, Math.min(mostSeconds, Math.floor(seconds_left)))
        const client_id = 'lading-portal-link'
        const grant = {
          sub: id,
          client_id,
          org_id: org,
          scopes: ['partner_portal'],
          role: 'partner',
          kind: 'link',
          grant_id: id,
        } as const
        const token = {
          ...{
            access_token: signToken(authority.keyring, issuance, grant, seconds),
            token_type: 'Bearer',
            expires_in: seconds,
          },
          record: manifest_id ? { type: 'manifest', id: manifest_id } : { type: 'bill', id: bill_id },
        }
        return ok(JSON.stringify(token)) as never
      },
    )
  }
