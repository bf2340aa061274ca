import { isLost } from './errors.ts'

export type RetryOptions = {
  /** How often a request is repeated at most: 3 unless set. */
  times?: number
  /** The longest pause before the first repetition, in milliseconds: 500 unless set. It doubles each time, up to 16 times as long. */
  pauseMs?: number
  /** A service that asks for a longer pause than this is not waited for, and its answer is given back: 60,000 unless set. */
  longestPauseMs?: number
}

export type RetryPolicy = Required<RetryOptions>

export function retryPolicy(options: RetryOptions | false): RetryPolicy {
  return { times: 3, pauseMs: 500, longestPauseMs: 60_000, ...(options === false ? { times: 0 } : options) }
}

type Repeatable = {
  /** Whether the request may be sent again where nobody knows what became of it: a read, or a write with an idempotency key. */
  isSafe: boolean
  signal?: AbortSignal
}

/** Repeats a request that was lost on the way, or that the service refused for the moment, after a pause of random length. */
export async function fetchRepeatedly(
  send: () => Promise<Response>,
  policy: RetryPolicy,
  { isSafe, signal }: Repeatable,
): Promise<Response> {
  for (let repeated = 0; ; repeated++) {
    const isLast = repeated === policy.times
    const outcome = await send().catch((error: unknown) => {
      if (isLast || !isSafe || signal?.aborted || !isLost(error)) throw error
      return undefined
    })
    if (outcome && (isLast || !(await isForTheMoment(outcome, isSafe, repeated)))) return outcome
    const asked = outcome ? pauseAskedBy(outcome) : undefined
    if (outcome && asked !== undefined && asked > policy.longestPauseMs) return outcome
    await outcome?.body?.cancel()
    await pause(
      (asked ?? 0) + Math.random() * policy.pauseMs * (asked === undefined ? 2 ** Math.min(repeated, 4) : 1),
      signal,
    )
  }
}

/** With 429 the service did nothing. The others may come from something in between, after the service did its work. */
async function isForTheMoment(response: Response, isSafe: boolean, repeated: number): Promise<boolean> {
  if (response.status === 429) return true
  if (!isSafe) return false
  if ([502, 503, 504].includes(response.status)) return true
  // The service is still at work on an earlier attempt.
  return (
    response.status === 409 && repeated > 0 && (await response.clone().text()).includes('"idempotency_key_in_flight"')
  )
}

/** `Retry-After` in milliseconds: a number of seconds, or a date. */
function pauseAskedBy({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const milliseconds = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds)
}

export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
