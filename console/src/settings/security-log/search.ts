import { pageIn } from '../../app/table/page-number.ts'

export type LogSearch = { page?: number; type?: string; from?: string; to?: string }

/** What the address says of the page; a day is one of the browser's time zone. */
export function searchIn(given: Record<string, unknown>): LogSearch {
  const { type } = given
  const [from, to] = [dayIn(given.from), dayIn(given.to)]
  return {
    ...pageIn(given),
    ...(typeof type === 'string' && type && { type }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

function dayIn(given: unknown): string | undefined {
  return typeof given === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given))
    ? given
    : undefined
}
