/** The keys of writes that were sent and never answered, by what was asked. */
const unanswered = new Map<string, string>()

/**
 * Gives every write an idempotency key, in place of the one that the SDK makes anew for each call. A write whose answer was lost keeps its key, so that repeating it with the same content does not do it twice,
 * and is not taken for a change by somebody else.
 */
export function once(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const asked = await contentOf(request)
    if (asked === null) return fetch(request)
    const key = unanswered.get(asked) ?? crypto.randomUUID()
    unanswered.set(asked, key)
    request.headers.set('idempotency-key', key)
    const response = await fetch(request)
    unanswered.delete(asked)
    return response
  }
}

/** Null for what only reads, and for files, which are too large to compare. */
async function contentOf(request: Request): Promise<string | null> {
  const { method, url, headers } = request
  if (method === 'GET' || method === 'HEAD' || url.endsWith('/search')) return null
  const type = headers.get('content-type')
  if (type && !type.startsWith('application/json')) return null
  return [method, url, headers.get('if-match'), await request.clone().text()].join('\n')
}
