import { invalid, quote } from '../refusal.ts'
import { parseDate } from './dates.ts'

/** When something is asked for: now, the end of a day where the organization is, or any moment. */
export type AsOf = { day: string } | { moment: string } | null

/** A bare date means the end of that day where the organization is. */
export function asOfIn(sent: string | undefined, field = 'as_of'): AsOf {
  if (sent === undefined) return null
  const moment = parseDate(sent)
  if (!moment)
    throw invalid(field, 'bad_date_time', `"${field}" must be an ISO 8601 date or date-time, not ${quote(sent)}.`)
  return /^\d{4}-\d{2}-\d{2}$/.test(sent) ? { day: sent } : { moment: moment.toISOString() }
}
