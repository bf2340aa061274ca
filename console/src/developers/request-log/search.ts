import { pageIn } from '../../app/table/page-number.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** As an application: those of all of them, and of the console. Without a choice the console is left out: it asks for more than everyone else. */
export const everyApplication = 'all'

export type LogSearch = {
  page?: number
  status?: string
  method?: Method
  path?: string
  application?: string
  request_id?: string
  from?: string
  to?: string
}

/** What the address says of the list; times are those of the browser's time zone, to the minute. */
export function searchIn(given: Record<string, unknown>): LogSearch {
  const method = methods.find((known) => known === given.method)
  const status = textIn(given.status)
  const [path, application, request_id] = [textIn(given.path), textIn(given.application), textIn(given.request_id)]
  const [from, to] = [timeIn(given.from), timeIn(given.to)]
  return {
    ...pageIn(given),
    ...(isStatus(status) && { status }),
    ...(method && { method }),
    ...(path && { path }),
    ...(application && { application }),
    ...(request_id && { request_id }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

/** `404`, or a class such as `4xx`. */
export function isStatus(text: string): boolean {
  return /^[1-5](?:\d\d|xx)$/.test(text)
}

function textIn(given: unknown): string {
  return typeof given === 'string' || typeof given === 'number' ? String(given).trim().slice(0, 255) : ''
}

function timeIn(given: unknown): string | undefined {
  return typeof given === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(given) && !Number.isNaN(Date.parse(given))
    ? given
    : undefined
}
