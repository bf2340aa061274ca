import type { Extension } from '../../objects/kinds/extension.ts'
import type { Definition } from '../../objects/kinds/kind.ts'
import { faultsOf, inSequence } from './model.ts'

/** Puts the stops of orders and manifests in order whenever they are written, and refuses times that cannot be. */
export const stopExtensions: readonly Extension[] = ['order', 'manifest'].map((objectKey) => ({
  objectKey,
  fields: [],
  findFixed: async () => new Map(),
  complete(after, before, definition) {
    if (after.stops === before?.stops || !Array.isArray(after.stops) || hasOwnStops(definition)) return { json: after, wrong: [] }
    const wrong = faultsOf(after.stops)
    return { json: wrong.length > 0 ? after : { ...after, stops: inSequence(after.stops) }, wrong }
  },
}))

/** An organization may have had a field of its own called `stops` before it was built in: then that counts, and nothing is made of it. */
export function hasOwnStops({ added, hidden }: Definition): boolean {
  return added.includes('stops') || hidden.some(({ key }) => key === 'stops')
}
