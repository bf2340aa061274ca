import { type Context, transaction } from '../../platform/context.ts'
import type { Database } from '../../platform/db/database.ts'
import { listOrganizationIds } from '../../platform/db/schema/organizations.ts'
import { systemContext } from '../../platform/organizations/actions.ts'
import { greatCircleKm, type Place, placesLeft } from '../arrival-times/estimate.ts'
import type { FindRoute } from '../arrival-times/routing.ts'
import { stopsIn } from '../stops/itinerary/model.ts'
import { estimateAgain } from './actions.ts'
import { listToRoute, saveRoute } from './routing-store.ts'
import { lockTracking } from './store.ts'

/** So often a routing service is asked about a manifest that is under way. */
const askEveryMs = 10 * 60_000
/** One that was not seen for so long is not asked about. */
const seenWithinMs = 24 * 3_600_000
const atOnce = 100
/** After so many failures in a row the service is left alone until the next round. */
const mostFailures = 3

/**
 * The background job: asks the routing service about the rest of the way of every manifest that is under way. Positions never wait for it: between two questions
 * what it said last is applied to the straight distance, and without an answer the settings of the organization are.
 */
export async function routeAll(
  database: Database,
  findRoute: FindRoute,
  signal?: AbortSignal,
  now = Date.now(),
): Promise<number> {
  let routed = 0
  for (const org of await listOrganizationIds(database.pool.run)) {
    const ctx = systemContext(database, org)
    let failures = 0
    for (const id of await listToRoute(ctx, {
      askedBefore: new Date(now - askEveryMs),
      seenSince: new Date(now - seenWithinMs),
      most: atOnce,
    })) {
      signal?.throwIfAborted()
      const done = await routeOne(ctx, id, findRoute, signal)
      failures = done ? 0 : failures + 1
      routed += done ? 1 : 0
      if (failures === mostFailures) break
    }
  }
  return routed
}

/** The service is asked outside of the transaction: it may be slow, and nobody should wait for it. */
async function routeOne(ctx: Context, id: string, findRoute: FindRoute, signal?: AbortSignal): Promise<boolean> {
  const places = await transaction(ctx, async (ctx) => {
    const [tracked] = await lockTracking(ctx, { ids: [id], externalIds: [] })
    return tracked ? placesLeft(stopsIn({ stops: tracked.stops }), tracked.last_position) : []
  })
  const straight = lengthOf(places)
  const route = straight > 0 ? await findRoute(places, signal) : null
  if (!route) return false
  await transaction(ctx, async (ctx) => {
    await saveRoute(ctx, id, { factor: route.kilometres / straight, speedKmh: route.kilometres / route.hours })
    await estimateAgain(ctx, id)
  })
  return true
}

function lengthOf(places: readonly Place[]): number {
  return places.slice(1).reduce((sum, place, index) => sum + greatCircleKm(places[index] as Place, place), 0)
}
