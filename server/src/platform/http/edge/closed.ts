import type { FastifyReply } from 'fastify'

/** Aborted when nobody is left to read the answer. Not Fastify's `request.signal`: that one is aborted as soon as the body has been read. */
export function closedSignal({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController()
  if (raw.destroyed) closed.abort()
  else
    raw.once('close', () => {
      // After an answer nobody waits, and to abort makes an error with its stack.
      if (!raw.writableFinished) closed.abort()
    })
  return closed.signal
}
