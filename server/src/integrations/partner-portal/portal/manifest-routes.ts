import Type from 'typebox'
import { named } from '../../../platform/core/schema/names.ts'
import { changedBetween, envelopeOf, Id, Moment, paging } from '../../../platform/core/schema/schema.ts'
import { parseDate, toWire } from '../../../platform/core/values/dates.ts'
import { ok } from '../../../platform/http/answers/answers.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { optional } from '../../../platform/http/input/json-body.ts'
import { answers, neverNotModified } from '../../../platform/http/openapi/openapi.ts'
import { arrive, depart, undo } from './doing.ts'
import { ManifestPage, PortalDocument, PortalManifest } from './model.ts'
import { listOwn, type OwnRecord } from './own/own-store.ts'
import { asPartner, base, config, requireOwn, tags } from './paths.ts'

const all = `${base}/manifests`
const one = `${all}/:manifestID`
const params = Type.Object({ manifestID: named('ManifestUuid', Id('The manifest.')) })
const stopParams = Type.Object({ ...params.properties, stopID: named('PortalStopId', Id('The stop.')) })
const One = Type.Object({ manifest: Type.Ref('PortalManifest') })
const Report = optional(
  named(
    'ReportPortalStop',
    Type.Object({
      at: Type.Optional(Moment('When it happened; now where nothing is said.', '2026-11-16T08:20:00Z')),
      skip_stops: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'With true the stop is reported although stops before it were not departed from.',
          examples: [true],
        }),
      ),
    }),
  ),
)
const Undo = optional(
  Type.Object({
    report: Type.Optional(
      Type.Enum(['arrival', 'departure'], {
        description: 'What is to be taken back; the last report of the stop where nothing is said.',
        examples: ['departure'],
      }),
    ),
  }),
)

/** The manifests of a carrier, and what it reports of their stops. */
export async function portalManifests(app: App): Promise<void> {
  app.addSchema(PortalManifest)
  app.addSchema(PortalDocument)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchPortalManifests',
        summary: 'The carrier’s manifests',
        description: 'Lists the manifests that are the carrier’s or offered to it, newest first, with the exact total.',
        querystring: ManifestPage,
        response: answers({ 200: envelopeOf('manifests', Type.Ref('PortalManifest')) }),
      },
    },
    asPartner(async (partner, { query }) => {
      return ok(await listOwn(partner, 'manifests', query as object))
    }),
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getPortalManifest',
        summary: 'One of the carrier’s manifests',
        description: 'Answers a manifest with its stops.',
        params,
        response: answers({ 200: One }),
        ...neverNotModified,
      },
    },
    asPartner(async (partner, { params }) =>
      shown(await requireOwn(partner, 'manifests', (params as { manifestID: string }).manifestID)),
    ),
  )

  for (const [verb, operationId, what, act] of [
    ['arrive', 'arriveAtPortalStop', 'arrival', arrive],
    ['depart', 'departFromPortalStop', 'departure', depart],
  ] as const) {
    app.post(
      `${one}/stops/:stopID/${verb}`,
      {
        config,
        schema: {
          tags,
          operationId,
          summary: `Report the ${what} of the carrier’s vehicle`,
          description: `Says when the vehicle ${verb}d. Reported before, it changes nothing, unless \`at\` gives another time. While a stop before it was not departed from it is a 409 \`stops_open\`, unless \`skip_stops\` is true; stops before the last one that was departed from do not count. The states of the manifest and its orders follow.`,
          params: stopParams,
          body: Report,
          response: answers({ 200: One }),
        },
      },
      asPartner(async (partner, request) => {
        const { manifestID, stopID } = request.params as { manifestID: string; stopID: string }
        const { at: said = '', skip_stops: mayPass = false } = (request.body ?? {}) as {
          at?: string
          skip_stops?: boolean
        }
        const at = parseDate(said)
        return shown(await act(partner, manifestID, stopID.toLowerCase(), { mayPass, ...(at && { at: toWire(at) }) }))
      }),
    )
  }

  app.post(
    `${one}/stops/:stopID/undo`,
    {
      config,
      schema: {
        tags,
        operationId: 'undoPortalStopReport',
        summary: 'Take back a report of a stop',
        description:
          'Takes back the departure, or else the arrival, that the carrier reported in the last ten minutes; `undo_until` of the stop says until when. What the organization reported, or has changed since, stays: that is a 409 `undo_over`. While a later stop is departed from it is a 409 `later_stop_reported`. States that the report gave go back; with the last report that is taken back, to what they were before the first.',
        params: stopParams,
        body: Undo,
        response: answers({ 200: One }),
      },
    },
    asPartner(async (partner, request) => {
      const { manifestID, stopID } = request.params as { manifestID: string; stopID: string }
      return shown(
        await undo(
          partner,
          manifestID,
          stopID.toLowerCase(),
          (request.body as { report?: 'arrival' | 'departure' } | null)?.report,
        ),
      )
    }),
  )

  app.get(
    `${one}/documents`,
    {
      config,
      schema: {
        tags,
        operationId: 'searchPortalDocuments',
        summary: 'The documents that the carrier sent with a manifest',
        description: 'Lists what the carrier itself has sent with the manifest through the portal, newest first.',
        params,
        querystring: Type.Object({ ...changedBetween, ...paging }),
        response: answers({ 200: envelopeOf('documents', Type.Ref('PortalDocument')) }),
      },
    },
    asPartner(async (partner, { params, query }) => {
      const { id } = await requireOwn(partner, 'manifests', (params as { manifestID: string }).manifestID)
      return ok(await listOwn(partner, 'documents', { ...(query as object), manifest_id: id }))
    }),
  )
}

function shown({ json }: OwnRecord) {
  return ok(`{"manifest":${json}}`)
}
