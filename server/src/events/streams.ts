import type { Verified } from '../auth/access-token.ts'
import type { Revocations } from '../auth/revocations.ts'
import { Refusal } from '../core/refusal.ts'

/** So many streams of one process, and of one organization in it. */
const most = 5_000
const mostOfOrganization = 1_200
const lookEveryMs = 250

type Open = { token: Verified; end: AbortController }

/** The streams that are open in this process. Each ends with its token, and when the process is stopped: whoever reads it comes back elsewhere. */
export function openStreams(revocations: Pick<Revocations, 'isRevoked' | 'onRevoked'>, draining: { now: boolean }) {
  const streams = new Set<Open>()
  const endThose = (which: (token: Verified) => boolean) => {
    for (const { token, end } of streams) if (which(token)) end.abort()
  }
  const stopListening = revocations.onRevoked(() => endThose(revocations.isRevoked))
  const timer = setInterval(() => endThose(({ exp }) => draining.now || exp * 1000 <= Date.now()), lookEveryMs).unref()

  return {
    /** Aborted when the stream has to end. `leave` when it has. */
    enter(token: Verified): { signal: AbortSignal; leave(): void } {
      const ofOrganization = [...streams].filter((open) => open.token.org_id === token.org_id).length
      if (streams.size >= most || ofOrganization >= mostOfOrganization) throw tooMany()
      const open = { token, end: new AbortController() }
      streams.add(open)
      return { signal: open.end.signal, leave: () => void streams.delete(open) }
    },
    close() {
      clearInterval(timer)
      stopListening()
      endThose(() => true)
    },
  }
}

function tooMany(): Refusal {
  const words = 'Too many streams of events are open here. Close some, or read them with one stream and hand on what comes.'
  return new Refusal('too_many', 'too_many_event_streams', words, { headers: { 'retry-after': '5' } })
}
