import { TimedOut } from './errors.ts'

/** The longest time that timers know; more would be none at all. */
const longestMs = 2 ** 31 - 1

/** A `timeout` in milliseconds, or undefined where there is none. */
export function readTimeout(timeout: unknown): number | undefined {
  if (timeout === undefined || timeout === Infinity) return undefined
  if (typeof timeout !== 'number' || !(timeout > 0))
    throw new RangeError(`"timeout" must be a number of milliseconds above 0, not ${JSON.stringify(timeout)}.`)
  return Math.min(timeout, longestMs)
}

/** Does the work in that time, or throws `TimedOut` and aborts it. */
export async function within<T>(timeout: number | undefined, work: (expired?: AbortSignal) => Promise<T>): Promise<T> {
  if (timeout === undefined) return work()
  const expiry = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TimedOut(timeout)
      expiry.abort(error)
      reject(error)
    }, timeout)
  })
  try {
    return await Promise.race([work(expiry.signal), expired])
  } finally {
    clearTimeout(timer)
  }
}
