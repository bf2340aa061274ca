import { parseDate, toWire } from '../../core/dates.ts'
import { envelopeOf, Id, Moment, paging } from '../../core/schema.ts'
import Type from '../../core/type.ts'
import { ok } from '../../http/answers.ts'
import type { App } from '../../http/app.ts'
import { optional } from '../../http/json-body.ts'
import { answers, neverNotModified } from '../../http/openapi.ts'
import { arrive, depart } from './doing.ts'
import { ManifestPage, PortalDocument, PortalManifest } from './model.ts'
import { listOwn, type Own } from './own-store.ts'
import { asPartner, base, config, requireOwn, tags } from './paths.ts'

const all = `${base}/manifests`
const one = `${all}/:manifestID`
const params = Type.Object({ manifestID: Id('The manifest.') })
const stopParams = Type.Object({ ...params.properties, stopID: Id('The stop.') })
const One = Type.Object({ manifest: Type.Ref('PortalManifest') })
const Report = optional(Type.Object({ at: Type.Optional(Moment('When it happened; now where nothing is said.', '2026-11-16T08:20:00Z')) }))

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
    asPartner(async (partner, { params }) => shown(await requireOwn(partner, 'manifests', (params as { manifestID: string }).manifestID))),
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
          description: `Says when the vehicle ${verb}d. Reported before, it changes nothing, unless \`at\` gives another time. The states of the manifest and its orders follow.`,
          params: stopParams,
          body: Report,
          response: answers({ 200: One }),
        },
      },
      asPartner(async (partner, request) => {
        const { manifestID, stopID } = request.params as { manifestID: string; stopID: string }
        const at = parseDate((request.body as { at?: string } | null)?.at ?? '')
        return shown(await act(partner, manifestID, stopID.toLowerCase(), at ? { at: toWire(at) } : {}))
      }),
    )
  }

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
        querystring: Type.Object(paging),
        response: answers({ 200: envelopeOf('documents', Type.Ref('PortalDocument')) }),
      },
    },
    asPartner(async (partner, { params, query }) => {
      const { id } = await requireOwn(partner, 'manifests', (params as { manifestID: string }).manifestID)
      return ok(await listOwn(partner, 'documents', { ...(query as object), manifest_id: id }))
    }),
  )
}

function shown({ json }: Own) {
  return ok(`{"manifest":${json}}`)
}
