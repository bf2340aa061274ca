import Type from 'typebox'
import { envelopeOf, Id } from '../../../platform/core/schema/schema.ts'
import { ok, record } from '../../../platform/http/answers/answers.ts'
import { expectedIn } from '../../../platform/http/answers/conditional.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { optional } from '../../../platform/http/input/json-body.ts'
import { answers, neverNotModified } from '../../../platform/http/openapi/openapi.ts'
import { AnsweredTender, Counter } from '../tenders/model.ts'
import { accept, counter, decline } from './doing.ts'
import { PortalTender, TenderPage } from './model.ts'
import { listOwn } from './own/own-store.ts'
import { asPartner, base, config, requireOwn, tags } from './paths.ts'

const all = `${base}/tenders`
const one = `${all}/:tenderID`
const params = Type.Object({ tenderID: Id('The tender.') })
const One = Type.Object({ tender: Type.Ref('PortalTender') })

/** What is offered to a carrier, and its answers. */
export const portalTenders = (portal: string) => async (app: App) => {
  app.addSchema(PortalTender)
  const idIn = (request: { params: unknown }) => (request.params as { tenderID: string }).tenderID.toLowerCase()

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchPortalTenders',
        summary: 'The carrier’s tenders',
        description: 'Lists what is and was offered to the carrier, newest first, with the exact total.',
        querystring: TenderPage,
        response: answers({ 200: envelopeOf('tenders', Type.Ref('PortalTender')) }),
      },
    },
    asPartner(async (partner, { query }) => ok(await listOwn(partner, 'tenders', query as object))),
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getPortalTender',
        summary: 'One of the carrier’s tenders',
        description: 'Answers a tender. An open one whose time is over is expired, by the clock of the database.',
        params,
        response: answers({ 200: One }),
        ...neverNotModified,
      },
    },
    asPartner(async (partner, request) => ({
      ...record('tender', await requireOwn(partner, 'tenders', idIn(request))),
      shifting: true,
    })),
  )

  app.post(
    `${one}/accept`,
    {
      // What only the carrier of a load sees is in the answer, and nobody would have accepted.
      config: { ...config, dryRun: false },
      schema: {
        tags,
        operationId: 'acceptPortalTender',
        summary: 'Accept a tender',
        description:
          'Accepts the freight at the rate that is offered: the manifest is the carrier’s. Of several carriers the first who accepts gets it, the others are answered 409.',
        params,
        body: optional(AnsweredTender),
        response: answers({ 200: One }),
      },
    },
    asPartner(async (partner, request) =>
      record(
        'tender',
        await accept(
          partner,
          { id: idIn(request), expected: expectedIn(request) },
          (request.body ?? {}) as AnsweredTender,
          portal,
        ),
      ),
    ),
  )

  app.post(
    `${one}/decline`,
    {
      config,
      schema: {
        tags,
        operationId: 'declinePortalTender',
        summary: 'Decline a tender',
        description: 'Says that the carrier does not take the freight.',
        params,
        body: optional(AnsweredTender),
        response: answers({ 200: One }),
      },
    },
    asPartner(async (partner, request) =>
      record(
        'tender',
        await decline(
          partner,
          { id: idIn(request), expected: expectedIn(request) },
          (request.body ?? {}) as AnsweredTender,
        ),
      ),
    ),
  )

  app.post(
    `${one}/counter`,
    {
      config,
      schema: {
        tags,
        operationId: 'counterPortalTender',
        summary: 'Counter a tender',
        description:
          'Asks for another rate. The organization accepts it or takes its offer back; until then another rate can be named.',
        params,
        body: Counter,
        response: answers({ 200: One }),
      },
    },
    asPartner(async (partner, request) =>
      record(
        'tender',
        await counter(partner, { id: idIn(request), expected: expectedIn(request) }, request.body as Counter),
      ),
    ),
  )
}
