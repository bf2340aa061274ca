import { RemoteFault } from './adapter.ts'

export type Request = { method: string; url: string; headers: Record<string, string>; body?: string }
export type Answer = { status: number; headers: Headers; text: string }

/** So long an accounting system may take for an answer. */
export const answerMs = 30_000
/** No answer that is wanted is longer. */
const mostBytes = 20 * 2 ** 20

/** Makes a request. Whatever keeps the answer from arriving is a `no_answer`: what was asked may have been done. */
export async function request({ method, url, headers, body }: Request, timeoutMs = answerMs): Promise<Answer> {
  const { host } = new URL(url)
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(url, { method, headers, redirect: 'error', signal, ...(body !== undefined && { body }) })
    const text = await answer.text()
    if (text.length > mostBytes) throw new Error('the answer is too long')
    return { status: answer.status, headers: answer.headers, text }
  } catch (error) {
    const { cause, name, message } = error as Error & { cause?: { code?: string } }
    const why =
      name === 'TimeoutError'
        ? `did not answer within ${timeoutMs / 1000} s`
        : `could not be reached: ${cause?.code ?? message}`
    throw new RemoteFault('no_answer', `${host} ${why}.`)
  }
}

/** How long the other side asks to wait, in the header Retry-After: seconds, or a date. A minute where it does not say. */
export function retryAfterMs(headers: Headers, now = Date.now()): number {
  const value = headers.get('retry-after')
  if (value === null) return 60_000
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1_000), 24 * 3_600_000) : 60_000
}

/** What a text says as JSON; undefined where it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
