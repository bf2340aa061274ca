import { invalid, quote } from '../../platform/core/refusal.ts'
import type { Definition } from '../kinds/kind.ts'
import { type OtherPlace, type Place, type PlaceOptions, placeOf } from './conditions/fields.ts'

/** One field to order by; `number` is that of the `fullId`. */
export type Key = { place: Exclude<Place, { in: 'parts' }> | OtherPlace | { in: 'number' }; descending: boolean }

const mostKeys = 3

/** Reads `sort`: fields with commas between them, each with - in front for descending. */
export function readSort(definition: Definition, sort: string, options: PlaceOptions): Key[] {
  const named = sort.split(/(?<!\\),/)
  if (named.length > mostKeys) throw invalid('sort', 'too_many', `"sort" can have at most ${mostKeys} fields.`)
  const keys = named.map((text, index): Key => {
    const at = named.length === 1 ? 'sort' : `sort[${index}]`
    const path = text.trim().replace(/^-/, '').replaceAll('\\,', ',')
    const place = path === 'fullId' ? ({ in: 'number' } as const) : placeOf(definition, path, at, options)
    if (place.in === 'parts')
      throw invalid(
        at,
        'not_sortable',
        `"${at}" cannot be ${quote(path)}, which has parts; name one of them, by its key after a dot.`,
      )
    return { place: index < named.length - 1 ? withTime(place) : place, descending: text.trim().startsWith('-') }
  })
  // These are unique, so the keys after them have nothing to order.
  const unique = keys.findIndex(({ place }) => place.in === 'number' || isId(place))
  return unique === -1 ? keys : keys.slice(0, unique + 1)
}

/** If other keys follow, objects created in the same millisecond are ordered by those: so by the time, not by the id that begins with it. */
function withTime(place: Key['place']): Key['place'] {
  return place.in === 'column' && place.column === 'created' ? { ...place, column: 'created_at' } : place
}

export function isId(place: Key['place']): boolean {
  return place.in === 'column' && (place.column === 'id' || place.column === 'created')
}
