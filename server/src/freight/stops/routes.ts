import Type from 'typebox'
import { zoneOfPlace } from '../../platform/core/places/place-zones.ts'
import { notFound } from '../../platform/core/refusal.ts'
import { sentAs } from '../../platform/core/values/ids.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { emptyBody } from '../../platform/http/input/json-body.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers, neverNotModified } from '../../platform/http/openapi/openapi.ts'
import { idOf } from '../../records/v1/read.ts'
import { manifestResource } from '../../records/v1/resources.ts'
import { readFindings } from '../loads/read.ts'
import { PlanningFindings } from '../loads/schema.ts'
import { dispatchManifest } from './actions.ts'
import { findTimeZone } from './itinerary/store.ts'
import { answerMoved, MovedManifest } from './moved.ts'
import { orderRoutes } from './order-routes.ts'
import { config, one, params, table, tags } from './paths.ts'
import { reportRoutes } from './report-routes.ts'

const { param, label } = manifestResource

const part = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 200, description, examples: [example] }))

/** What is reported of the stops of manifests, and the orders on them. */
export async function stops(app: App): Promise<void> {
  app.post(
    `${one}/dispatch`,
    {
      config,
      schema: {
        tags,
        operationId: 'dispatchManifest',
        summary: 'Dispatch a manifest',
        description: `Sends a manifest on its way. One without stops gets those of its orders: an order without stops brings its pickup and its delivery. ${table}`,
        params,
        body: emptyBody,
        response: answers({ 200: MovedManifest }),
      },
    },
    (request) => answerMoved(request, dispatchManifest),
  )

  app.get(
    '/time_zones/of_place',
    {
      config: { scope: 'any' },
      schema: {
        tags,
        operationId: 'getTimeZoneOfPlace',
        summary: 'The time zone of a place',
        description: 'Says which time zone a stop at a place gets where none is sent, and where that comes from.',
        querystring: Type.Object({
          country: part('The country.', 'US'),
          state: part('The state or province.', 'AZ'),
          postal: part('The postal code.', '85001'),
        }),
        response: answers({
          200: Type.Object({
            time_zone: Type.String({ description: 'Its name in the IANA database.', examples: ['America/Phoenix'] }),
            source: Type.Enum(['place', 'organization'], {
              description: 'Whether the place tells it, or it is that of the organization because the place does not.',
              examples: ['place'],
            }),
          }),
        }),
      },
    },
    async ({ ctx, query }) => {
      const zone = zoneOfPlace(query)
      return ok(
        JSON.stringify(
          zone ? { time_zone: zone, source: 'place' } : { time_zone: await findTimeZone(ctx), source: 'organization' },
        ),
      )
    },
  )

  app.get(
    `${one}/planning_findings`,
    {
      config: { ...config, alsoScopes: ['orders'] },
      schema: {
        tags,
        operationId: 'getPlanningFindings',
        summary: 'What cannot work in the plan of a manifest',
        description:
          'Compares the stops of a manifest with each other, with the distances between them at the average speed of the organization and the rests of one driver, and its orders with its equipment. The same is in the answers of what plans a manifest, and on the board. Nothing of it is refused. The token needs the scope `orders` too.',
        params,
        response: answers({ 200: Type.Object({ planning_findings: PlanningFindings }) }),
        ...neverNotModified,
      },
    },
    async ({ ctx, params }) => {
      const reference = referenceIn((params as Record<string, string>)[param] as string, param, 'any')
      const id = await idOf(ctx, manifestResource, reference)
      if (id === undefined) throw notFound(label, sentAs(reference))
      return ok(JSON.stringify({ planning_findings: await readFindings(ctx, id) }))
    },
  )

  orderRoutes(app)
  reportRoutes(app)
}
