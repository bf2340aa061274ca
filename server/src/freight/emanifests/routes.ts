import { Readable } from 'node:stream'
import { notFound } from '../../platform/core/refusal.ts'
import { etagOf } from '../../platform/core/schema/revisions.ts'
import { apart, envelopeOf, Id } from '../../platform/core/schema/schema.ts'
import Type from '../../platform/core/schema/type.ts'
import { deletedToo, historyRoute } from '../../platform/events/history/history-route.ts'
import { type Answer, created, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { amendEmanifest, createEmanifest, updateEmanifest, validateEmanifest } from './actions.ts'
import {
  Amendment,
  type EmanifestEdit as Edit,
  Emanifest,
  EmanifestEdit,
  EmanifestSearch,
  type NewEmanifest as New,
  NewEmanifest,
} from './contents/model.ts'
import { findContent } from './filings-store.ts'
import { findEmanifest, listEmanifests } from './store.ts'
import { cancelEmanifest, type Marked, submitEmanifest } from './submitting.ts'

const config = { scope: 'emanifests' } as const
const tags = ['E-manifests']
const all = '/emanifests'
const one = `${all}/:emanifestID`
const params = Type.Object({ emanifestID: Id('The e-manifest.') })
const One = Type.Object({ emanifest: Type.Ref('Emanifest') })
const x12 = 'application/edi-x12'

const Missing = Type.Object({
  field: Type.String({ description: 'Where it is missing.', examples: ['shipments.0.control_number'] }),
  code: Type.Enum(['missing', 'wrong'], {
    description: 'Whether it is not there, or not as it must be.',
    examples: ['missing'],
  }),
  message: Type.String({
    description: 'What is missing.',
    examples: ['The control number of the shipment is missing.'],
  }),
})

/** What customs is told before a truck crosses the border. */
export const emanifests = (marked: Marked) => async (app: App) => {
  app.addSchema(Emanifest)

  app.get(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'searchEmanifests',
        summary: 'Search e-manifests',
        description: 'Lists the e-manifests of the organization, newest first, with the exact total.',
        querystring: EmanifestSearch,
        response: answers({ 200: envelopeOf('emanifests', Type.Ref('Emanifest')) }),
      },
    },
    async ({ ctx, query }) => ok(await listEmanifests(ctx, query)),
  )

  app.post(
    all,
    {
      config,
      schema: {
        tags,
        operationId: 'createEmanifest',
        summary: 'Create an e-manifest from a manifest',
        description:
          'Makes an e-manifest and fills it with what the manifest, its orders, its border stop, its carrier and its equipment say. What they do not say is entered with PUT; `validate` names it.',
        body: NewEmanifest,
        response: answers({ 201: One }),
      },
    },
    async ({ ctx, body }) => {
      const { id, ...made } = await createEmanifest(ctx, body as New)
      return created(record('emanifest', made), `/api/v1${all}/${id}`)
    },
  )

  app.get(
    one,
    {
      config,
      schema: {
        tags,
        operationId: 'getEmanifest',
        summary: 'Get an e-manifest',
        description: 'Answers the e-manifest with everything that was filed and what came back.',
        params,
        response: answers({ 200: One }),
      },
    },
    async ({ ctx, params: { emanifestID: id } }) => {
      const found = await findEmanifest(ctx, id)
      if (!found) throw notFound('e-manifest', id)
      return record('emanifest', found)
    },
  )

  app.put(
    one,
    {
      config,
      preValidation: unwrap('emanifest'),
      schema: {
        tags,
        operationId: 'updateEmanifest',
        summary: 'Update an e-manifest',
        description:
          'Only the fields that are sent apply, and null clears; `driver`, `tractor`, `trailers` and `shipments` are replaced as a whole. It can be changed as a draft, validated or rejected, and is a draft then; an accepted one is amended.',
        params,
        body: EmanifestEdit,
        response: answers({ 200: One }),
      },
    },
    async (request) => {
      const { input, ignored } = apart(EmanifestEdit, request.body)
      return record(
        'emanifest',
        await updateEmanifest(request.ctx, request.params.emanifestID, input as Edit, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  app.post(
    `${one}/validate`,
    {
      config,
      schema: {
        tags,
        operationId: 'validateEmanifest',
        summary: 'Validate an e-manifest',
        description:
          'Names everything that customs asks for and that is missing or wrong, each at its place. Where nothing is, a draft or rejected e-manifest is validated; where something is, a validated one is a draft again.',
        params,
        response: answers({
          200: Type.Object({
            valid: Type.Boolean({ description: 'Whether it can be submitted.', examples: [false] }),
            missing: Type.Array(Missing, { description: 'Everything that is missing or wrong.' }),
            emanifest: Type.Ref('Emanifest'),
          }),
        }),
      },
    },
    async (request) => {
      const { emanifest, missing } = await validateEmanifest(
        request.ctx,
        request.params.emanifestID,
        expectedIn(request),
      )
      const answer = record('emanifest', emanifest)
      return {
        ...answer,
        body: `{"valid":${missing.length === 0},"missing":${JSON.stringify(missing)},"emanifest":${emanifest.json}}`,
      }
    },
  )

  app.post(
    `${one}/submit`,
    {
      config,
      schema: {
        tags,
        operationId: 'submitEmanifest',
        summary: 'Submit an e-manifest',
        description:
          'Files a validated e-manifest: writes its X12 interchanges (309, and 358 where the border or the change asks for one) and hands them over in the background. Submitted once more, it files nothing again, and has tried again what could not be handed over.',
        params,
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record('emanifest', await submitEmanifest(request.ctx, request.params.emanifestID, expectedIn(request), marked)),
  )

  app.post(
    `${one}/amend`,
    {
      config,
      preValidation: unwrap('emanifest'),
      schema: {
        tags,
        operationId: 'amendEmanifest',
        summary: 'Amend an e-manifest',
        description:
          'Begins a change of an accepted e-manifest, with the fields that are sent: it is a draft again, to be validated and submitted. What customs has accepted counts until then.',
        params,
        body: optional(Amendment),
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record(
        'emanifest',
        await amendEmanifest(
          request.ctx,
          request.params.emanifestID,
          (request.body ?? {}) as Edit,
          expectedIn(request),
        ),
      ),
  )

  app.post(
    `${one}/cancel`,
    {
      config,
      schema: {
        tags,
        operationId: 'cancelEmanifest',
        summary: 'Cancel an e-manifest',
        description:
          'Cancels an e-manifest. Of one that was filed a cancellation is filed, and it is cancelled when customs accepts that; any other is cancelled at once.',
        params,
        response: answers({ 200: One }),
      },
    },
    async (request) =>
      record('emanifest', await cancelEmanifest(request.ctx, request.params.emanifestID, expectedIn(request), marked)),
  )

  app.get(
    `${one}/filings/:filingID/content`,
    {
      config: { ...config, offers: [x12] },
      schema: {
        tags,
        operationId: 'getEmanifestInterchange',
        summary: 'Download an interchange of an e-manifest',
        description: 'Answers the X12 interchange that was handed over, byte for byte.',
        params: Type.Object({ ...params.properties, filingID: Id('The filing.') }),
        response: answers({
          200: {
            description: 'The interchange.',
            content: {
              [x12]: { schema: Type.String({ description: 'The interchange.', examples: ['ISA*00*          *00*'] }) },
            },
          } as never,
        }),
      },
    },
    async ({ ctx, params: { emanifestID, filingID } }): Promise<Answer> => {
      const found = await findContent(ctx, emanifestID, filingID)
      if (!found) throw notFound('filing of this e-manifest', filingID)
      const name = `${String(found.control_number).padStart(9, '0')}.${found.transaction_set}`
      // It never changes.
      const headers = { etag: etagOf(1), 'content-type': x12, 'content-disposition': `attachment; filename="${name}"` }
      return { status: 200, headers, body: null, stream: Readable.from([found.content]) }
    },
  )

  historyRoute(app, {
    ...{ path: one, config, tags, params, name: 'Emanifest', one: 'an e-manifest', note: deletedToo },
    recordIn({ ctx, params }) {
      const { emanifestID: id } = params as { emanifestID: string }
      return {
        type: 'emanifest',
        id,
        isThere: async () => Boolean(await findEmanifest(ctx, id)),
        unknown: () => notFound('e-manifest', id),
      }
    },
  })
}
