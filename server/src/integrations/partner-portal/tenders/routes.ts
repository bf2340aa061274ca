import Type from 'typebox'
import { notFound } from '../../../platform/core/refusal.ts'
import { envelopeOf, Id } from '../../../platform/core/schema/schema.ts'
import { historyRoute } from '../../../platform/events/history/history-route.ts'
import { created, ok, record } from '../../../platform/http/answers/answers.ts'
import { expectedIn } from '../../../platform/http/answers/conditional.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { optional } from '../../../platform/http/input/json-body.ts'
import { answers, neverNotModified } from '../../../platform/http/openapi/openapi.ts'
import { noteVisits } from '../../../platform/security-log/visitor.ts'
import { base, config, tags } from '../paths.ts'
import { acceptCounter, cancelTender, createTender } from './actions.ts'
import { Decision, NewTender, Tender, TenderSearch } from './model.ts'
import { findTender, listTenders } from './store.ts'

const all = `${base}/tenders`
const one = `${all}/:tenderID`
const params = Type.Object({ tenderID: Id('The tender.') })
const One = Type.Object({ tender: Type.Ref('Tender') })

export const tenders = (portal: string) => async (app: App) => {
  noteVisits(app)
  app.addSchema(Tender)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchTenders',
        summary: 'Search tenders',
        description: 'Lists the manifests that are and were offered to carriers, newest first, with the exact total.',
        querystring: TenderSearch,
        response: answers({ 200: envelopeOf('tenders', Type.Ref('Tender')) }),
      },
    },
    async ({ ctx, query }) => ok(await listTenders(ctx, query)),
  )

  app.post(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'createTender',
        summary: 'Offer a manifest to a carrier',
        description:
          'Offers a manifest that has no carrier to one, who accepts, declines or counters it in the partner portal. It may be offered to several at once: the first who accepts gets it, and the other tenders end. A carrier has one open tender of a manifest at a time. The carrier’s people get a mail, or else the carrier’s own address.',
        body: NewTender,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createTender(ctx, body, portal)
      return created(record('tender', made), `/api/v1${all}/${id}`)
    },
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getTender',
        summary: 'Get a tender',
        description: 'Answers the tender. An open one whose time is over is expired, by the clock of the database.',
        params,
        response: answers({ 200: One }),
        ...neverNotModified,
      },
    },
    async ({ ctx, params: { tenderID } }) => {
      const found = await findTender(ctx, tenderID)
      if (!found) throw notFound('tender', tenderID)
      return { ...record('tender', found), shifting: true }
    },
  )

  app.post(
    `${one}/cancel`,
    {
      config,
      schema: {
        tags,
        operationId: 'cancelTender',
        summary: 'Cancel a tender',
        description:
          'Takes the offer back. One that was accepted takes the carrier off the manifest again. The carrier gets a mail. The event has the `reason`.',
        params,
        body: optional(Decision),
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record(
        'tender',
        await cancelTender(
          request.ctx,
          request.params.tenderID.toLowerCase(),
          request.body ?? {},
          expectedIn(request),
          portal,
        ),
      ),
  )

  app.post(
    `${one}/accept_counter`,
    {
      config,
      schema: {
        tags,
        operationId: 'acceptTenderCounter',
        summary: 'Accept what a carrier asks for',
        description:
          'Accepts the rate with which a carrier countered: the manifest is the carrier’s, and the other tenders of the manifest end. A manifest without payment items gets one, `Line haul`, with the agreed rate; those that are there are left alone. The event has the `reason`.',
        params,
        body: optional(Decision),
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record(
        'tender',
        await acceptCounter(
          request.ctx,
          request.params.tenderID.toLowerCase(),
          request.body ?? {},
          expectedIn(request),
          portal,
        ),
      ),
  )

  historyRoute(app, {
    ...{ path: one, config, tags, params, name: 'Tender', one: 'a tender' },
    recordIn({ ctx, params }) {
      const { tenderID: id } = params as { tenderID: string }
      return {
        type: 'tender',
        id,
        isThere: async () => Boolean(await findTender(ctx, id)),
        unknown: () => notFound('tender', id),
      }
    },
  })
}
