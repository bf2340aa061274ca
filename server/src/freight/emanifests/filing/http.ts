import { type FilingAdapter, FilingFault } from './filing.ts'

/** So long an answer may take. */
const answerMs = 30_000
/** No answer that is wanted is longer. */
const mostBytes = 2 ** 20
const type = 'application/edi-x12'
/** Errors of a connection that was never made. */
const unconnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/**
 * POSTs interchanges to an address, with the secret as a bearer token and a key by which the other side tells a repetition. What it answers may be
 * acknowledgements; those that come later come through the API.
 */
export function httpFiling({
  url,
  secret,
  timeoutMs = answerMs,
}: {
  url: string
  secret: string | null
  timeoutMs?: number
}): FilingAdapter {
  const { host } = new URL(url)
  return {
    async file({ org, controlNumber, text }) {
      const headers = {
        'content-type': type,
        accept: `${type}, */*;q=0.1`,
        'idempotency-key': `${org}-${controlNumber}`,
        ...(secret && { authorization: `Bearer ${secret}` }),
      }
      const { status, body } = await post(url, { headers, body: text, timeoutMs }).catch(
        (error: Error & { cause?: { code?: string } }) => {
          const why =
            error.name === 'TimeoutError'
              ? `did not answer within ${timeoutMs / 1000} s`
              : `could not be reached: ${error.cause?.code ?? error.message}`
          throw new FilingFault(`${host} ${why}.`, {
            again: true,
            mayHaveArrived: !unconnected.includes(error.cause?.code ?? ''),
          })
        },
      )
      if (status >= 200 && status < 300) return /^\s*ISA/.test(body) ? body : null
      const again = status >= 500 || [408, 409, 423, 425, 429].includes(status)
      // A 409 is said of a key that is being worked on; any other 4xx is a refusal.
      throw new FilingFault(`${host} answered ${status}${excerptOf(body)}.`, {
        again,
        mayHaveArrived: status >= 500 || status === 409,
      })
    },
    async collect() {},
  }
}

async function post(
  url: string,
  { headers, body, timeoutMs }: { headers: Record<string, string>; body: string; timeoutMs: number },
) {
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await answer.text()
  if (text.length > mostBytes) throw new Error('the answer is too long')
  return { status: answer.status, body: text }
}

function excerptOf(body: string): string {
  const text = body.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return text === '' ? '' : `: ${text.slice(0, 200)}`
}
