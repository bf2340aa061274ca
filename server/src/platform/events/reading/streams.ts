import type { Settings } from '../../../settings.ts'
import type { VerifiedToken } from '../../access/tokens/access-token.ts'
import type { Revocations } from '../../access/tokens/revocations.ts'
import { Refusal } from '../../core/refusal.ts'

/** So many streams of one process. */
const most = 5_000
const lookEveryMs = 250

/** `since` in seconds, as tokens have it. */
type Open = { token: VerifiedToken; since: number; end: AbortController }

/**
 * The streams that are open in this process. Each ends with its token, when the role of its user changes, and when the process is stopped: whoever reads it
 * comes back, elsewhere or with the role that they have now.
 */
export function openStreams(
  revocations: Pick<Revocations, 'isRevoked' | 'hasOldRole' | 'onRevoked'>,
  draining: { now: boolean },
  limits: Settings['eventStreams'],
) {
  const streams = new Set<Open>()
  const endThose = (which: (open: Open) => boolean) => {
    for (const open of streams) if (which(open)) open.end.abort()
  }
  // A token without a role is of no role that can be old: whose it is was looked up when the stream began.
  const hasOldRole = ({ token, since }: Open) =>
    revocations.hasOldRole(token.role === undefined ? { ...token, iat: since } : token)
  const stopListening = revocations.onRevoked(() =>
    endThose((open) => revocations.isRevoked(open.token) || hasOldRole(open)),
  )
  const timer = setInterval(
    () => endThose(({ token }) => draining.now || token.exp * 1000 <= Date.now()),
    lookEveryMs,
  ).unref()

  return {
    /** Aborted when the stream has to end. `leave` when it has. */
    enter(token: VerifiedToken): { signal: AbortSignal; leave(): void } {
      const ofOrganization = [...streams].filter((open) => open.token.org_id === token.org_id)
      const ofToken = ofOrganization.filter((open) => open.token.jti === token.jti).length
      if (ofToken >= limits.token) throw tooMany(`${limits.token} streams of events are open with this access token`)
      if (ofOrganization.length >= limits.organization)
        throw tooMany(`${limits.organization} streams of events of this organization are open here`)
      if (streams.size >= most) throw tooMany('Too many streams of events are open here')
      const open = { token, since: Math.floor(Date.now() / 1000), end: new AbortController() }
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

function tooMany(why: string): Refusal {
  const words = `${why}. Close some, or read them with one stream and hand on what comes.`
  return new Refusal('too_many', 'too_many_event_streams', words, { headers: { 'retry-after': '5' } })
}
