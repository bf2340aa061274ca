import { setTimeout } from 'node:timers/promises'
import type { Context } from '../context.ts'
import type { Pool } from '../db/connect.ts'
import { listen } from '../db/listen.ts'
import type { Claims } from './access-token.ts'
import { channel, insertRevocations, listRevocations, type RevocationKind } from './revocations-store.ts'

/** The longest life of an access token: after that nothing needs to be remembered. */
const rememberedSeconds = 3600 + 60

/** Kills every token of a subject that was issued up to now, on every process, once the caller's transaction is committed. */
export async function revoke(ctx: Context, kind: RevocationKind, subject: string): Promise<void> {
  await insertRevocations(ctx, kind, [subject], rememberedSeconds)
}

/** The same for several subjects at once. */
export async function revokeAll(ctx: Context, kind: RevocationKind, subjects: readonly string[]): Promise<void> {
  await insertRevocations(ctx, kind, subjects, rememberedSeconds)
}

export type Revocations = {
  isRevoked(claims: Claims): boolean
  /** Waits until a token signed now for these would live: not in the very seconds of a revocation that it has nothing to do with. */
  outlive(token: { client_id: string; sub?: string | undefined; org_id: string | null }): Promise<void>
  refresh(): Promise<void>
  close(): void
}

/** Clocks of processes and of the database differ: a token stamped this much later than a revocation may be older than it. */
const skewSeconds = 1
const longestWaitMs = 5_000

/**
 * The revocations of all organizations, in memory. A notification brings a new one at once; the second look every second is for the
 * databases, poolers and moments through which notifications do not come.
 */
export async function watchRevocations(pool: Pool): Promise<Revocations> {
  const dead = new Map<string, { until: number; expires: number }>()
  let latest = new Date(0)

  async function refresh(): Promise<void> {
    // Rows become visible in another order than they are stamped, so the last moments are read again.
    const since = new Date(latest.getTime() - 30_000)
    const rows = await listRevocations(pool, since)
    for (const { org_id, kind, subject, issued_until, expires_at } of rows) {
      dead.set(keyOf(org_id, kind, subject), { until: Math.floor(issued_until.getTime() / 1000) + skewSeconds, expires: expires_at.getTime() })
      if (issued_until > latest) latest = issued_until
    }
    const now = Date.now()
    for (const [key, { expires }] of dead) if (expires < now) dead.delete(key)
  }

  await refresh()
  const quietly = () => refresh().catch(() => {})
  const timer = setInterval(quietly, 1000).unref()
  // Not waited for: the listening connection comes when it can.
  const stopListening = listen(pool, channel, quietly)

  // A token and a grant never come back; users and applications do, and get new tokens.
  const isGone = (...key: Parameters<typeof keyOf>) => dead.has(keyOf(...key))
  const isDead = (iat: number, ...key: Parameters<typeof keyOf>) => iat <= (dead.get(keyOf(...key))?.until ?? -1)
  return {
    refresh,
    isRevoked: ({ org_id, jti, sub, client_id, grant_id, iat }) =>
      dead.size > 0 &&
      (isGone(org_id, 'token', jti) ||
        (grant_id !== undefined && isGone(org_id, 'grant', grant_id)) ||
        isDead(iat, org_id, 'user', sub) ||
        isDead(iat, org_id, 'application', client_id)),
    async outlive({ client_id, sub, org_id }) {
      const subjects = [keyOf('', 'application', client_id), ...(sub && org_id ? [keyOf(org_id, 'user', sub)] : [])]
      const until = Math.max(...subjects.map((key) => dead.get(key)?.until ?? 0))
      const wait = (until + 1) * 1000 - Date.now()
      if (wait > 0) await setTimeout(Math.min(wait, longestWaitMs))
    },
    close() {
      clearInterval(timer)
      stopListening()
    },
  }
}

/** An application may act in other organizations than its own, and dies in all of them; its client id is unique by itself. */
function keyOf(org: string, kind: RevocationKind, subject: string): string {
  return kind === 'application' ? `application ${subject}` : `${org} ${kind} ${subject}`
}
