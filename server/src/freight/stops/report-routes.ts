import Type from 'typebox'
import { named } from '../../platform/core/schema/names.ts'
import { Id, Moment } from '../../platform/core/schema/schema.ts'
import { parseDate, toWire } from '../../platform/core/values/dates.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { emptyBody, optional } from '../../platform/http/input/json-body.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { type Report, reportArrival, reportDeparture, undoReport } from './actions.ts'
import { answerMoved, MovedManifest } from './moved.ts'
import { config, one, params, table, tags } from './paths.ts'

const stopParams = Type.Object({
  ...params.properties,
  stopID: Id('The stop, by its `id` among the `stops` of the manifest.'),
})

const ReportBody = optional(
  named(
    'ReportStop',
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
  ),
)

/** What is reported of the stops of a manifest. */
export function reportRoutes(app: App): void {
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
        body: emptyBody,
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
