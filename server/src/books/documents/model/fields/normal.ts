import { invalid, quote } from '../../../../platform/core/refusal.ts'
import { parseDate, toWire } from '../../../../platform/core/values/dates.ts'

/** A date as it is kept. A bare date as the end of a period means the last moment of that day. */
export function normalDate(
  sent: string | null | undefined,
  field: string,
  edge: 'start' | 'end' = 'start',
): string | null {
  if (sent === null || sent === undefined) return null
  const time = parseDate(sent, edge)
  if (!time) throw invalid(field, 'bad_date_time', `"${field}" must be an ISO 8601 date-time, not ${quote(sent)}.`)
  return toWire(time)
}

/** UUIDs are kept in lower case, so the same one in capitals is no change. */
export function normalId(sent: string | null): string | null {
  return sent?.toLowerCase() ?? null
}
