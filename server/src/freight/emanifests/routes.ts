import Type from 'typebox'
import { notFound } from '../../platform/core/refusal.ts'
import { envelopeOf, separateIgnored } from '../../platform/core/schema/schema.ts'
import { deletedToo, historyRoute } from '../../platform/events/history/history-route.ts'
import { created, ok, record } from '../../platform/http/answers/answers.ts'
import { expectedIn } from '../../platform/http/answers/conditional.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { naming, unwrap } from '../../platform/http/input/whole-bodies.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { createEmanifest, updateEmanifest } from './actions.ts'
import {
  type EmanifestEdit as Edit,
  Emanifest,
  EmanifestEdit,
  EmanifestSearch,
  type NewEmanifest as New,
  NewEmanifest,
} from './contents/model.ts'
import { filingRoutes } from './filing-routes.ts'
import { interchangeRoute } from './interchange-routes.ts'
import { all, config, One, one, params, tags } from './paths.ts'
import { findEmanifest, listEmanifests } from './store.ts'
import type { FilingMode } from './submitting.ts'

/** What customs is told before a truck crosses the border. */
export const emanifests = (marked: FilingMode) => async (app: App) => {
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
      const { input, ignored } = separateIgnored(EmanifestEdit, request.body)
      return record(
        'emanifest',
        await updateEmanifest(request.ctx, request.params.emanifestID, input as Edit, expectedIn(request)),
        naming(ignored),
      )
    },
  )

  filingRoutes(app, marked)
  interchangeRoute(app)

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
