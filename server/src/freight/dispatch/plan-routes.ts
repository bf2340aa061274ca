import Type from 'typebox'
import { scopeOf } from '../../platform/access/kind-scopes.ts'
import { transaction } from '../../platform/context.ts'
import { named } from '../../platform/core/schema/names.ts'
import { Id, Moment, referenceParam } from '../../platform/core/schema/schema.ts'
import { parseDate, toWire } from '../../platform/core/values/dates.ts'
import { created } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { requireScope } from '../../platform/http/edge/authenticate.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { manifestResource } from '../../records/v1/resources.ts'
import { extensions } from '../extension.ts'
import { estimateAgain } from '../positions/actions.ts'
import { answerMoved, MovedManifest, movedAnswer } from '../stops/moved.ts'
import { moveManifest, planManifest, planOrders, sequenceStops } from './actions.ts'
import { mostOrders, NewPlan, orderIds } from './model.ts'
import { manualMoves } from './moves.ts'

const { param, label, example, kind } = manifestResource
const tags = ['Dispatch']
const config = { scope: kind.scope, alsoScopes: ['orders'] } as const
const one = `/dispatch/manifests/:${param}`
const params = referenceParam(param, label, example, `${kind.prefix}-1`)
const states = [...new Set(manualMoves.map(({ to }) => to))]

/** What a dispatcher does with manifests. Carrier, driver and equipment are fields of the manifest, which `PUT /manifests/{manifestID}` writes. */
export async function planning(app: App): Promise<void> {
  app.post(
    '/dispatch/manifests',
    {
      config,
      schema: {
        tags,
        operationId: 'planManifest',
        summary: 'Plan a manifest',
        description: `Makes a manifest in the state planned and puts up to ${mostOrders} orders on it with their stops, all or nothing. It is refused with 409 where one of the orders is on another manifest or closed, and where the organization refuses double bookings and the driver or the equipment is taken. The token needs the scope \`orders\` too.`,
        body: NewPlan,
        response: answers({ 201: MovedManifest }),
      },
    },
    async (request) => {
      const reach = (objectKey: string) => requireScope(request, scopeOf(objectKey))
      return transaction(request.ctx, async (ctx) => {
        const reported = await planManifest(
          ctx,
          request.body,
          { strict: false, reach, extensions },
          { afterwards: estimateAgain },
        )
        return created(await movedAnswer(ctx, reported), `/api/v1/manifests/${reported.id}`)
      })
    },
  )

  app.post(
    `${one}/orders`,
    {
      config,
      schema: {
        tags,
        operationId: 'planOrders',
        summary: 'Plan orders on a manifest',
        description:
          'Puts orders on a manifest as `POST /manifests/{manifestID}/orders` does, but refuses with 409 those that are closed or on another manifest that is neither cancelled nor inactive, naming that one. An order that two manifests carry one after the other is put on the second by that other operation. The token needs the scope `orders` too.',
        params,
        body: named('OrdersToPut', Type.Object({ order_ids: orderIds })),
        response: answers({ 200: MovedManifest }),
      },
    },
    (request) =>
      answerMoved(request, (ctx, manifest, options) => planOrders(ctx, manifest, request.body.order_ids, options)),
  )

  app.post(
    `${one}/move`,
    {
      config,
      schema: {
        tags,
        operationId: 'moveManifest',
        summary: 'Move a manifest to another state',
        description:
          'Moves a manifest by the table in the guide on dispatch: to `dispatched` dispatches it, to `in_transit` reports the departure from its first pickup, to `completed` that from its last stop; its legs and orders follow. What the table does not allow is refused with 409, naming what it does. Moved to the state that it has, nothing changes. The token needs the scope `orders` too.',
        params,
        body: Type.Object({
          to: Type.Enum(states, { description: 'Where it goes.', examples: ['dispatched'] }),
          at: Type.Optional(
            Moment(
              'When the vehicle departed, where a departure is reported; now where nothing is said.',
              '2026-11-16T08:20:00Z',
            ),
          ),
        }),
        response: answers({ 200: MovedManifest }),
      },
    },
    (request) =>
      answerMoved(request, (ctx, manifest, options) =>
        moveManifest(ctx, manifest, { to: request.body.to, at: momentIn(request.body.at) }, options),
      ),
  )

  app.put(
    `${one}/sequence`,
    {
      config,
      schema: {
        tags,
        operationId: 'sequenceStops',
        summary: 'Put the stops of a manifest in order',
        description:
          'Gives the stops of a manifest another order. All of them are named, once. Stops that were reported, and those before them, keep their places; an order is picked up before it is delivered. Arrival times are estimated anew. The token needs the scope `orders` too.',
        params,
        body: Type.Object({
          stop_ids: Type.Array(Id('A stop.'), {
            minItems: 1,
            maxItems: 1000,
            description: 'All stops, in their new order.',
          }),
        }),
        response: answers({ 200: MovedManifest }),
      },
    },
    (request) =>
      answerMoved(request, (ctx, manifest, options) => sequenceStops(ctx, manifest, request.body.stop_ids, options)),
  )
}

function momentIn(sent: string | undefined): string | undefined {
  const at = sent === undefined ? null : parseDate(sent)
  return at ? toWire(at) : undefined
}
