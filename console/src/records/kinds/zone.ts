import { browserZone } from '../../app/values/dates.ts'
import type { Field } from './kind.ts'

/** The time zone that a record has in a field of its own, such as a stop; another where it has none, or none that is known. */
export function zoneIn(
  fields: readonly Field[],
  record: Readonly<Record<string, unknown>>,
  otherwise = browserZone(),
): string {
  const key = fields.find(({ format }) => format === 'time-zone')?.key
  const zone = key === undefined ? undefined : record[key]
  return typeof zone === 'string' && zones().has(zone) ? zone : otherwise
}

let known: ReadonlySet<string> | undefined

function zones(): ReadonlySet<string> {
  known ??= new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])
  return known
}
