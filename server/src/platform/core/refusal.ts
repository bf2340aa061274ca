/** Why a request is refused. Kinds are words of the domain; only `platform/http/edge/errors.ts` knows what status each becomes. */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'gone'
  | 'stale'
  | 'too_large'
  | 'unsupported_media'
  | 'mismatch'
  | 'too_many'
  | 'unavailable'

/** What became of a write that could not be finished: nothing of it is there, or nobody knows whether all, some or nothing of it is. */
export type Outcome = 'not_written' | 'unknown'

export type Detail = { field: string; code: string; message: string; allowed?: readonly string[] }

export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly code: string
  readonly details: readonly Detail[]
  /** Header fields that belong to this answer, such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>
  /** Only of what is unavailable: whoever runs the transaction knows it. */
  outcome: Outcome | undefined

  constructor(
    kind: RefusalKind,
    code: string,
    message: string,
    {
      details = [],
      headers = {},
      cause,
    }: { details?: readonly Detail[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'Refusal'
    this.kind = kind
    this.code = code
    this.details = details
    this.headers = headers
  }
}

export function invalid(field: string, code: string, message: string, allowed?: readonly string[]): Refusal {
  return invalidAll([{ field, code, message, ...(allowed && { allowed }) }])
}

export function invalidAll(details: readonly Detail[]): Refusal {
  const [first] = details
  if (!first) throw new Error('an invalid request needs at least one detail')
  const message = details.length === 1 ? first.message : `${details.length} fields are wrong. First: ${first.message}`
  const code = details.length === 1 ? first.code : 'invalid_request'
  return new Refusal('invalid', code, message, { details })
}

export function notFound(what: string, id: string): Refusal {
  return new Refusal('not_found', 'not_found', `There is no ${what} ${quote(id)} in this organization.`)
}

export function conflict(code: string, message: string, details: readonly Detail[] = []): Refusal {
  return new Refusal('conflict', code, message, { details })
}

export function forbidden(code: string, message: string): Refusal {
  return new Refusal('forbidden', code, message)
}

export function unavailable(message: string, cause?: unknown, retryAfterSeconds = 1): Refusal {
  return new Refusal('unavailable', 'unavailable', message, {
    headers: { 'retry-after': String(retryAfterSeconds) },
    cause,
  })
}

/** Quotes what was sent, cut short: messages repeat input so that people can find it, not so that it can fill a log. */
export function quote(sent: unknown): string {
  const text = typeof sent === 'string' ? sent : (JSON.stringify(sent) ?? String(sent))
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
