import { zoneOfPlace } from '../../platform/core/places/place-zones.ts'
import { notFound } from '../../platform/core/refusal.ts'
import { Id, Moment, referenceParam } from '../../platform/core/schema/schema.ts'
import Type from '../../platform/core/schema/type.ts'
import { parseDate, toWire } from '../../platform/core/values/dates.ts'
import { sentAs } from '../../platform/core/values/ids.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { optional } from '../../platform/http/input/json-body.ts'
import { referenceIn } from '../../platform/http/input/params.ts'
import { answers, neverNotModified } from '../../platform/http/openapi/openapi.ts'
import { idOf } from '../../records/v1/read.ts'
import { manifestResource } from '../../records/v1/resources.ts'
import { readFindings } from '../loads/read.ts'
import { PlanningFindings } from '../loads/schema.ts'
import {
  dispatchManifest,
  putOrdersOn,
  type Report,
  reportArrival,
  reportDeparture,
  takeOrderOff,
  undoReport,
} from './actions.ts'
import { findTimeZone } from './itinerary/store.ts'
import { answerMoved, MovedManifest } from './moved.ts'

const { param, label, example, kind } = manifestResource
const tags = ['Manifests']
const config = { scope: kind.scope }
const one = `/manifests/:${param}`
const params = referenceParam(param, label, example, `${kind.prefix}-1`)
const stopParams = Type.Object({
  ...params.properties,
  stopID: Id('The stop, by its `id` among the `stops` of the manifest.'),
})

const ReportBody = optional(
  Type.Object({
    at: Type.Optional(Moment('When it happened; now where nothing is said.', '2026-11-16T08:20:00Z')),
    skip_stops: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'With false it is a 409 `stops_open` where a stop before this one was not departed from; those before the last one that was departed from do not count.',
        examples: [false],
      }),
    ),
  }),
)

const part = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 200, description, examples: [example] }))

const table =
  'The states of the manifest, its legs and its orders follow by the table in the guide on movement, never backwards, in the same transaction.'

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
        body: optional(Type.Object({})),
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

  app.post(
    `${one}/orders`,
    {
      config: { ...config, alsoScopes: ['orders'] },
      schema: {
        tags,
        operationId: 'putOrdersOnManifest',
        summary: 'Put orders on a manifest',
        description:
          'Adds orders to a manifest with their stops: pickups behind the pickups that are there, the rest at the end. An order without stops brings its pickup and its delivery. Orders that are on it already stay as they are. The token needs the scope `orders` too.',
        params,
        body: Type.Object({
          order_ids: Type.Array(Id('An order.'), { minItems: 1, maxItems: 200, description: 'The orders.' }),
        }),
        response: answers({ 200: MovedManifest }),
      },
    },
    (request) =>
      answerMoved(request, (ctx, manifest, options) =>
        putOrdersOn(
          ctx,
          manifest,
          request.body.order_ids.map((id) => id.toLowerCase()),
          options,
        ),
      ),
  )

  app.delete(
    `${one}/orders/:orderID`,
    {
      config: { ...config, alsoScopes: ['orders'] },
      schema: {
        tags,
        operationId: 'takeOrderOffManifest',
        summary: 'Take an order off a manifest',
        description:
          'Removes an order from a manifest, with its stops. It is refused with 409 once one of them was reported. The token needs the scope `orders` too.',
        params: Type.Object({ ...params.properties, orderID: Id('The order.') }),
        response: answers({ 200: MovedManifest }),
      },
    },
    (request) =>
      answerMoved(request, (ctx, manifest, options) =>
        takeOrderOff(ctx, manifest, request.params.orderID.toLowerCase(), options),
      ),
  )

  app.post(
    `${one}/stops/:stopID/arrive`,
    {
      config,
      schema: {
        tags,
        operationId: 'arriveAtStop',
        summary: 'Report the arrival at a stop',
        description: `Says when the vehicle arrived. Reported before, it changes nothing, unless \`at\` gives another time. ${table}`,
        params: stopParams,
        body: ReportBody,
        response: answers({ 200: MovedManifest }),
      },
    },
    (request) =>
      answerMoved(request, (ctx, manifest, options) =>
        reportArrival(ctx, manifest, stopIn(request), reportIn(request), options),
      ),
  )

  app.post(
    `${one}/stops/:stopID/depart`,
    {
      config,
      schema: {
        tags,
        operationId: 'departFromStop',
        summary: 'Report the departure from a stop',
        description: `Says when the vehicle departed; its arrival need not have been reported. Reported before, it changes nothing, unless \`at\` gives another time. ${table}`,
        params: stopParams,
        body: ReportBody,
        response: answers({ 200: MovedManifest }),
      },
    },
    (request) =>
      answerMoved(request, (ctx, manifest, options) =>
        reportDeparture(ctx, manifest, stopIn(request), reportIn(request), options),
      ),
  )

  app.post(
    `${one}/stops/:stopID/undo`,
    {
      config,
      schema: {
        tags,
        operationId: 'undoStopReport',
        summary: 'Undo the last report of a stop',
        description:
          'Takes back the departure, or else the arrival. While a later stop is departed from it is a 409 `later_stop_reported`, whose `details` name the stops to undo first. States that the report gave go back to what the other reports give, and without any to what they were before the first; what somebody has changed since stays.',
        params: stopParams,
        body: optional(Type.Object({})),
        response: answers({ 200: MovedManifest }),
      },
    },
    (request) => answerMoved(request, (ctx, manifest, options) => undoReport(ctx, manifest, stopIn(request), options)),
  )
}

function stopIn({ params }: { params: { stopID: string } }): string {
  return params.stopID.toLowerCase()
}

function reportIn({ body }: { body: { at?: string; skip_stops?: boolean } | null | undefined }): Report {
  const at = body?.at === undefined ? null : parseDate(body.at)
  return { ...(at && { at: toWire(at) }), mayPass: body?.skip_stops ?? true }
}
