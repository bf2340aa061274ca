import type { ErrorCode } from './names.ts'

/** One thing that is wrong with a request: the field, and for programs a code. */
export type Detail = { field: string; code: string; message: string; allowed?: string[] }

/** How a request was sent. */
export type Sent = {
  /** What a write was sent with, each time. Repeat it with the same key (`header: { 'Idempotency-Key': … }`), and it is done once. */
  idempotencyKey: string | undefined
  /** How often it was sent; 0 where there was no token to send it with. */
  attempts: number
}

const sentBefore = new WeakMap<object, Sent>()

/** Keeps how the request was sent with its answer, from which an error may be made. */
export function noteSent(response: Response, sent: Sent): Response {
  sentBefore.set(response, sent)
  return response
}

/** A request that the service refused. `code` is for programs, the message for people, and `requestId` finds the request in the service's log. */
export class LadingError extends Error implements Sent {
  readonly status: number
  /** One of those that the service has now, one of a later version, or one of OAuth's. */
  readonly code: ErrorCode | (string & {})
  readonly details: readonly Detail[]
  readonly requestId: string | undefined
  /** The page that explains the code. */
  readonly docUrl: string | undefined
  /** Of a write that was answered 503: `not_written`, or `unknown` where all, some or nothing of it may be saved. Repeat it with `idempotencyKey`. */
  readonly outcome: 'not_written' | 'unknown' | undefined
  readonly idempotencyKey: string | undefined
  readonly attempts: number

  /** `response` and `body` are what the service answered: an error of v1, of v2 or of the token endpoint. */
  constructor(
    response: Pick<Response, 'status' | 'headers'>,
    body: unknown,
    sent: Sent | undefined = sentBefore.get(response),
  ) {
    const facts = (typeof body === 'object' && body !== null ? body : {}) as Body
    const message =
      facts.error_message ?? facts.error_description ?? facts.message ?? `The service answered ${response.status}.`
    super([message].flat().join(' '))
    this.name = 'LadingError'
    this.status = response.status
    this.code = facts.error_code ?? facts.code ?? facts.error ?? 'unknown'
    this.details = facts.details ?? []
    this.requestId = facts.request_id ?? facts.requestId ?? response.headers.get('x-request-id') ?? undefined
    this.docUrl =
      facts.doc_url ?? facts.docUrl ?? /<([^<>]+)>; rel="help"/.exec(response.headers.get('link') ?? '')?.[1]
    this.outcome = facts.outcome
    this.idempotencyKey = sent?.idempotencyKey
    this.attempts = sent?.attempts ?? 1
  }
}

/**
 * A request that got no answer: the service could not be reached, the connection broke off, or the time was over. `cause` is the error of `fetch`.
 * Whether a write was done is not known: repeat it with `idempotencyKey`.
 */
export class LadingConnectionError extends Error implements Sent {
  /** Whether it was given up because `timeout` was over. */
  readonly timedOut: boolean
  readonly idempotencyKey: string | undefined
  readonly attempts: number

  constructor(cause: unknown, { idempotencyKey, attempts }: Sent) {
    super(
      [reasonOf(cause), sendingOf(attempts), idempotencyKey !== undefined && attempts > 0 && adviceOfWrite]
        .filter(Boolean)
        .join(' '),
      { cause },
    )
    this.name = 'LadingConnectionError'
    this.timedOut = cause instanceof TimedOut
    this.idempotencyKey = idempotencyKey
    this.attempts = attempts
  }
}

/** An attempt that took longer than its `timeout`. */
export class TimedOut extends Error {
  readonly milliseconds: number
  constructor(milliseconds: number) {
    super(`There was no answer within ${milliseconds} ms.`)
    this.name = 'TimeoutError'
    this.milliseconds = milliseconds
  }
}

/** Whether the error says that an attempt got no answer: `fetch` throws a TypeError for that, whatever the reason. */
export function isLost(error: unknown): boolean {
  return error instanceof TypeError || error instanceof TimedOut
}

/** The error of a token as one of the request that needed it. A copy: other requests wait for the same token, and get the same error. */
export function asErrorOf<E extends Error & Sent>(error: E, { idempotencyKey, attempts }: Sent): E {
  const copy = Object.assign(new Error(error.message, { cause: error.cause }), error, { idempotencyKey, attempts })
  if (error.stack !== undefined) copy.stack = error.stack
  return Object.setPrototypeOf(copy, Object.getPrototypeOf(error))
}

const adviceOfWrite = 'Whether it was done is not known: repeat it with the same idempotency key.'

function reasonOf(cause: unknown): string {
  if (cause instanceof TimedOut) return `The service did not answer within ${cause.milliseconds} ms.`
  // Node's fetch says only that it failed; why is in the cause.
  const { message, cause: inner } = (cause ?? {}) as { message?: string; cause?: { code?: string } }
  return `The service could not be reached (${[message ?? String(cause), inner?.code].filter(Boolean).join(': ')}).`
}

function sendingOf(attempts: number): string {
  if (attempts === 0) return 'The request was not sent.'
  return attempts === 1 ? 'The request was sent once.' : `The request was sent ${attempts} times.`
}

type Body = {
  error_code?: string
  error_message?: string
  request_id?: string
  code?: string
  message?: string | string[]
  requestId?: string
  doc_url?: string
  docUrl?: string
  error?: string
  error_description?: string
  details?: readonly Detail[]
  outcome?: 'not_written' | 'unknown'
}

/** Whether it is a refusal with one of these codes: `if (isRefusal(error, 'stale_revision')) …`. */
export function isRefusal<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is LadingError & { readonly code: Code } {
  return error instanceof LadingError && (codes as readonly string[]).includes(error.code)
}

type Answered<T> = Promise<{ data?: T; error?: unknown; response: Response }>

/** What a call answered; a refusal is thrown as a `LadingError`: `const { bill } = await answerOf(lading.GET('/api/v1/bills/{billID}', …))`. */
export async function answerOf<T>(call: Answered<T>): Promise<T> {
  const { data, error, response } = await call
  if (!response.ok) throw new LadingError(response, error)
  return data as T
}

/** The answer as it came, for a file: its bytes are still to be read. */
export async function responseOf(call: Answered<unknown>): Promise<Response> {
  const { error, response } = await call
  if (!response.ok) throw new LadingError(response, error)
  return response
}
