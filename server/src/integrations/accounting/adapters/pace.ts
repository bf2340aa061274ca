import { RemoteFault } from './adapter.ts'

const minute = 60_000
const asked = new Map<string, number[]>()

/**
 * Counts a request of this connection, and refuses it where the other side allows no more in this minute. One process at a time works on a connection, so
 * each counts for itself; where two do, the other side says so itself.
 */
export function takeTurn(connection: string, perMinute: number, now = Date.now()): void {
  const recent = (asked.get(connection) ?? []).filter((at) => at > now - minute)
  const [oldest] = recent
  asked.set(connection, recent)
  if (oldest !== undefined && recent.length >= perMinute)
    throw new RemoteFault(
      'busy',
      `${perMinute} requests were made in this minute, which is all that are allowed.`,
      oldest + minute - now,
    )
  recent.push(now)
}
