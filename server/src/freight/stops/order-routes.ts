import Type from 'typebox'
import { named } from '../../platform/core/schema/names.ts'
import { Id } from '../../platform/core/schema/schema.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { putOrdersOn, takeOrderOff } from './actions.ts'
import { answerMoved, MovedManifest } from './moved.ts'
import { config, one, params, tags } from './paths.ts'

/** The orders on a manifest. */
export function orderRoutes(app: App): void {
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
        body: named(
          'OrdersToPut',
          Type.Object({
            order_ids: Type.Array(Id('An order.'), { minItems: 1, maxItems: 200, description: 'The orders.' }),
          }),
        ),
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
}
