import type { Context } from '../../../platform/context.ts'
import type { Extension } from '../../../records/kinds/extension.ts'
import type { Definition } from '../../../records/kinds/kind.ts'
import { withFrame } from './frame.ts'
import { faultsOf, inSequence, type Stop, stopsIn } from './model.ts'
import { findTimeZone } from './store.ts'
import { hasUnknownPlace, withZones } from './zones.ts'

/**
 * Puts the stops of orders and manifests in order whenever they are written, gives each the time zone of its place, and refuses times that cannot be. A
 * manifest gets its start and its end from them.
 */
export const stopExtensions: readonly Extension[] = ['order', 'manifest'].map((objectKey) => ({
  objectKey,
  fields: [],
  findFixed: async () => new Map(),
  async complete(ctx, after, before, definition) {
    if (after.stops === before?.stops || !Array.isArray(after.stops) || hasOwnStops(definition))
      return { json: after, wrong: [] }
    const wrong = faultsOf(after.stops)
    if (wrong.length > 0) return { json: after, wrong }
    const was = before ? stopsIn(before) : []
    const json = { ...after, stops: await withZonesOf(ctx, inSequence(after.stops), was) }
    return { json: objectKey === 'manifest' ? withFrame(json, before, definition) : json, wrong }
  },
}))

async function withZonesOf(ctx: Context, stops: readonly Stop[], before: readonly Stop[]): Promise<Stop[]> {
  return withZones(stops, before, hasUnknownPlace([...stops, ...before]) ? await organizationZone(ctx) : 'UTC')
}

const asked = new WeakMap<Context, Promise<string>>()

/** Asked once by everything that is written together, such as the rows of an import. */
function organizationZone(ctx: Context): Promise<string> {
  const zone = asked.get(ctx) ?? findTimeZone(ctx)
  asked.set(ctx, zone)
  return zone
}

/** An organization may have had a field of its own called `stops` before it was built in: then that counts, and nothing is made of it. */
export function hasOwnStops({ added, hidden }: Definition): boolean {
  return added.includes('stops') || hidden.some(({ key }) => key === 'stops')
}
