import type { FastifyReply } from 'fastify'

/** Aborted when nobody reads the answer any more. Not Fastify's `request.signal`: that one is aborted as soon as the body has been read. */
export function closedSignal({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController()
  if (raw.destroyed) closed.abort()
  else raw.once('close', () => closed.abort())
  return closed.signal
}
