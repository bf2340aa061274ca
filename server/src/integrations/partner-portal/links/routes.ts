import Type from 'typebox'
import { notFound } from '../../../platform/core/refusal.ts'
import { envelopeOf, Id, Time } from '../../../platform/core/schema/schema.ts'
import { historyRoute } from '../../../platform/events/history/history-route.ts'
import { created, noContent, ok, record } from '../../../platform/http/answers/answers.ts'
import { expectedIn } from '../../../platform/http/answers/conditional.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { requireScope } from '../../../platform/http/edge/authenticate.ts'
import { answers, neverNotModified } from '../../../platform/http/openapi/openapi.ts'
import { noteVisits } from '../../../platform/security-log/visitor.ts'
import { base, config, tags } from '../paths.ts'
import { createLink, revokeLink } from './actions.ts'
import { NewPortalLink, PortalLink, PortalLinkSearch } from './model.ts'
import { findLink, listLinks } from './store.ts'

const all = `${base}/links`
const one = `${all}/:linkID`
const params = Type.Object({ linkID: Id('The link.') })

const Made = Type.Object({
  id: Id('The link.'),
  url: Type.Union([Type.String(), Type.Null()], {
    description:
      'The address to pass on. Its secret is behind the #, which browsers send to no server; it is shown this once, and null in a replay.',
    examples: ['https://tms.example.com/portal/link#AZMrXm8AfDqdQS9qiwxOFc3l-Q4s0t.kd3…'],
  }),
  expires_at: Time('Until when it can be opened.'),
  link: Type.Ref('PortalLink'),
})

export const portalLinks = (publicUrl: string) => async (app: App) => {
  noteVisits(app)
  app.addSchema(PortalLink)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchPortalLinks',
        summary: 'Search signed links',
        description:
          'Lists the signed links of records, newest first, with the exact total. Their secrets are never shown again.',
        querystring: PortalLinkSearch,
        response: answers({ 200: envelopeOf('links', Type.Ref('PortalLink')) }),
      },
    },
    async ({ ctx, query }) => ok(await listLinks(ctx, query)),
  )

  app.post(
    all,
    {
      config: { ...config, dryRun: false },
      schema: {
        tags,
        operationId: 'createPortalLink',
        summary: 'Make a signed link',
        description:
          'Makes a link that shows one manifest or one bill in the partner portal to whoever holds it, as the carrier of the record, until it expires or is revoked. With it a carrier answers the tender of the manifest, reports stops and sends documents and its invoice, or asks about the bill. The token needs the scope of the record too: `manifests` or `bills`.',
        body: NewPortalLink,
        response: answers({ 201: Made }),
      },
    },
    async (request) => {
      const { ctx, body } = request
      // Whoever holds the link reads the record, so who makes it must be allowed to.
      if (body.bill_id) requireScope(request, 'bills')
      if (body.manifest_id) requireScope(request, 'manifests')
      const { id, secret, json } = await createLink(ctx, body)
      const { expires_at } = JSON.parse(json) as PortalLink
      const withUrl = (url: string | null) =>
        `{"id":"${id}","url":${JSON.stringify(url)},"expires_at":"${expires_at}","link":${json}}`
      return {
        ...created(ok(withUrl(`${publicUrl}/portal/link#${secret}`)), `/api/v1${all}/${id}`),
        kept: withUrl(null),
      }
    },
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getPortalLink',
        summary: 'Get a signed link',
        description: 'Answers what a link shows and until when, without its secret.',
        params,
        response: answers({ 200: Type.Object({ link: Type.Ref('PortalLink') }) }),
        ...neverNotModified,
      },
    },
    async ({ ctx, params: { linkID } }) => {
      const found = await findLink(ctx, linkID)
      if (!found) throw notFound('link', linkID)
      return { ...record('link', found), shifting: true }
    },
  )

  app.delete(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'revokePortalLink',
        summary: 'Revoke a signed link',
        description: 'Ends a link at once, on every process, also for those who have opened it. It stays in the list.',
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await revokeLink(request.ctx, request.params.linkID.toLowerCase(), expectedIn(request))
      return noContent
    },
  )

  historyRoute(app, {
    ...{ path: one, config, tags, params, name: 'PortalLink', one: 'a signed link' },
    recordIn({ ctx, params }) {
      const { linkID: id } = params as { linkID: string }
      return {
        type: 'portal_link',
        id,
        isThere: async () => Boolean(await findLink(ctx, id)),
        unknown: () => notFound('link', id),
      }
    },
  })
}
