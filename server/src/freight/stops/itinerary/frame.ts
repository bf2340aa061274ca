import { isDeepStrictEqual } from 'node:util'
import type { Definition } from '../../../records/kinds/kind.ts'
import type { Fields } from '../../../records/model/object.ts'
import { type Stop, stopsIn } from './model.ts'

const keys = ['start', 'startAt', 'end', 'endAt'] as const

/** Where and when a manifest begins and ends by its stops: what they do not say is null. */
export type Frame = { start: Fields | null; startAt: string | null; end: Fields | null; endAt: string | null }

export function frameOf(stops: readonly Stop[]): Frame {
  const [first, last] = [stops[0], stops.at(-1)]
  return {
    start: addressOf(first),
    startAt: first?.windowStart ?? first?.windowEnd ?? null,
    end: addressOf(last),
    endAt: last?.windowEnd ?? last?.windowStart ?? null,
  }
}

/** Without the coordinates: on a map the stop itself is the marker, and there is no second one at the same place. */
function addressOf(stop: Stop | undefined): Fields | null {
  const { latitude: _, longitude: __, ...address } = stop?.address ?? {}
  return Object.keys(address).length > 0 ? address : null
}

/** A manifest whose start and end are those of its stops, where nobody has entered others: what came from the stops before follows them. */
export function withFrame(after: Fields, before: Fields | null, definition: Definition): Fields {
  const [was, is] = [frameOf(before ? stopsIn(before) : []), frameOf(stopsIn(after))]
  const fields = keys.flatMap((key): [string, unknown][] => {
    const isOurs =
      isEmpty(after[key]) || (isDeepStrictEqual(after[key], was[key]) && isDeepStrictEqual(before?.[key], after[key]))
    const isKnown = definition.fields.some((field) => field.key === key) && !definition.added.includes(key)
    return isOurs && isKnown && !isDeepStrictEqual(after[key] ?? null, is[key]) ? [[key, is[key]]] : []
  })
  return fields.length > 0 ? { ...after, ...Object.fromEntries(fields) } : after
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null
}
