import { LadingConnectionError } from '@lading/sdk'

/** An error that the API answered, in the shape of v1 or of v2. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly details: readonly Detail[]
  readonly requestId: string | undefined

  constructor(status: number, body: ErrorBody | undefined) {
    super(body?.error_message ?? [body?.message ?? `The server answered ${status}.`].flat().join(' '))
    this.status = status
    this.code = body?.error_code ?? body?.code ?? 'unknown'
    this.details = body?.details ?? []
    this.requestId = body?.request_id ?? body?.requestId
  }
}

export type Detail = { field?: string; code: string; message: string }
type ErrorBody = { details?: readonly Detail[] } & {
  error_code?: string
  error_message?: string
  request_id?: string
} & {
  code?: string
  message?: string | string[]
  requestId?: string
}

/** The answer of a call to the API; an error is thrown. */
export async function answered<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) throw new Problem(response.status, typeof error === 'object' ? (error as ErrorBody) : undefined)
  return data as T
}

/** The text to show to a person, whatever was thrown. */
export function wordsFor(error: unknown): string {
  if (error instanceof Problem) return error.message
  // An upload, which does not go through the SDK, fails with a TypeError.
  if (error instanceof LadingConnectionError || error instanceof TypeError)
    return 'Could not reach the server. Check your connection and try again.'
  return 'An error occurred on this page. Try again.'
}

/** The errors that the API found, by the names of a form's fields; an error that belongs to none of them is shown at the top of the form. */
export function fieldErrors(
  error: unknown,
  fields: readonly string[],
): { byField: Record<string, string>; rest: string | null } {
  const byField: Record<string, string> = {}
  if (!(error instanceof Problem)) return { byField, rest: wordsFor(error) }
  for (const { field = '', message } of error.details) {
    const name = fields.find(
      (known) =>
        field === known ||
        field.startsWith(`${known}.`) ||
        field.startsWith(`${known}[`) ||
        field.startsWith(`/${known}`),
    )
    if (name) byField[name] = byField[name] ? `${byField[name]} ${message}` : message
  }
  return { byField, rest: Object.keys(byField).length > 0 ? null : error.message }
}
