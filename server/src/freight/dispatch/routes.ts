import Type from 'typebox'
import { envelopeOf } from '../../platform/core/schema/schema.ts'
import { ok } from '../../platform/http/answers/answers.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { DispatchManifest, ManifestQuery, OrderQuery, OrderToPlan } from './model.ts'
import { searchOrders, searchTrips } from './read.ts'

const tags = ['Dispatch']

/** What a dispatcher sees: manifests with all that belongs to them, and the orders that wait for one. */
export async function dispatch(app: App): Promise<void> {
  for (const schema of [DispatchManifest, OrderToPlan]) app.addSchema(schema)

  app.get(
    '/dispatch/manifests',
    {
      config: { scope: 'manifests', alsoScopes: ['orders'], costs: 'search' },
      schema: {
        tags,
        operationId: 'searchDispatchManifests',
        summary: 'Search manifests for the dispatch board',
        description:
          'Finds manifests that match every filter given, those that begin first first: each with its carrier, driver, equipment, orders and stops, where it was last, when it is expected where, how late, and the states to which it can be moved. Those that are over are found where `status_ids` asks for them. `from` and `to` keep manifests whose times are not known. The token needs the scope `orders` too.',
        querystring: ManifestQuery,
        response: answers({ 200: envelopeOf('manifests', Type.Ref('DispatchManifest')) }),
      },
    },
    async ({ ctx, query }) => ok(await searchTrips(ctx, query)),
  )

  app.get(
    '/dispatch/orders',
    {
      config: { scope: 'orders', costs: 'search' },
      schema: {
        tags,
        operationId: 'searchOrdersToPlan',
        summary: 'Search orders to plan',
        description:
          'Finds orders that are active or planned and on no manifest, but for manifests that are cancelled or inactive; those that are picked up first come first. `from` and `to` keep orders whose pickup time is not known.',
        querystring: OrderQuery,
        response: answers({ 200: envelopeOf('orders', Type.Ref('OrderToPlan')) }),
      },
    },
    async ({ ctx, query }) => ok(await searchOrders(ctx, query)),
  )
}
