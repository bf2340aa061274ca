/** One thing that is wrong with a request: the field, and for programs a code. */
export type Detail = { field: string; code: string; message: string; allowed?: string[] }

/** A request that the service refused. `code` is for programs, the message for people, and `requestId` finds the request in the service's log. */
export class LadingError extends Error {
  readonly status: number
  readonly code: string
  readonly details: readonly Detail[]
  readonly requestId: string | undefined
  /** Of a write that was answered 503: `not_written`, or `unknown` where all, some or nothing of it may be saved. Repeat it with the same idempotency key. */
  readonly outcome: 'not_written' | 'unknown' | undefined

  /** `body` is what the service answered: an error of v1, of v2 or of the token endpoint. */
  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown) {
    const facts = (typeof body === 'object' && body !== null ? body : {}) as Body
    const message = facts.error_message ?? facts.error_description ?? facts.message ?? `The service answered ${status}.`
    super([message].flat().join(' '))
    this.name = 'LadingError'
    this.status = status
    this.code = facts.error_code ?? facts.code ?? facts.error ?? 'unknown'
    this.details = facts.details ?? []
    this.requestId = facts.request_id ?? facts.requestId ?? headers.get('x-request-id') ?? undefined
    this.outcome = facts.outcome
  }
}

type Body = {
  error_code?: string
  error_message?: string
  request_id?: string
  code?: string
  message?: string | string[]
  requestId?: string
  error?: string
  error_description?: string
  details?: readonly Detail[]
  outcome?: 'not_written' | 'unknown'
}

/** What a call answered; a refusal is thrown as a `LadingError`: `const { bill } = await answerOf(lading.GET('/api/v1/bills/{billID}', …))`. */
export async function answerOf<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) throw new LadingError(response, error)
  return data as T
}
