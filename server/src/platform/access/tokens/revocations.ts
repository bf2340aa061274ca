import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { unavailable } from '../../core/refusal.ts'
import { newId } from '../../core/values/ids.ts'
import type { Database } from '../../db/database.ts'
import type { Pool } from '../../db/pool/connect.ts'
import { listen } from '../../db/pool/listen.ts'
import type { Claims } from './access-token.ts'
import { type Clock, leaseMs, openLease, registeredMs } from './lease.ts'
import {
  channel,
  countProcessesBehind,
  deleteProcess,
  findRevocation,
  insertRevocations,
  listAhead,
  listRevocations,
  type RevocationKind,
  saveProcess,
  stampRevocations,
} from './revocations-store.ts'

/** The longest life of an access token: after that nothing needs to be remembered. */
const rememberedSeconds = 3600 + 60
/** A transaction that takes longer than this from the revocation to its end let tokens be issued meanwhile that look younger than the revocation. */
const longestCommitMs = 100
/** Clocks do not run at exactly the same speed. */
const marginMs = 100

/**
 * Revokes every token of a subject that was issued up to now. The caller's transaction is answered only when no process accepts such a token any
 * more: each has read the revocation, or has not read anything for so long that it must ask the database before it accepts one.
 */
export function revoke(ctx: Context, kind: RevocationKind, subject: string): Promise<void> {
  return revokeAll(ctx, kind, [subject])
}

/** The same for several subjects at once. */
export async function revokeAll(ctx: Context, kind: RevocationKind, subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return
  const since = performance.now()
  const written = await insertRevocations(ctx, kind, subjects, rememberedSeconds)
  ctx.afterCommit(async (database) => {
    const late = performance.now() - since > longestCommitMs
    await untilAllHaveRead(database, (late && (await stampRevocations(database, ctx.org, kind, subjects))) || written)
  })
}

/** For a change that finds the subject revoked already: whoever revoked it may still be waiting for the other processes. */
export async function awaitRevocation(ctx: Context, kind: RevocationKind, subject: string): Promise<void> {
  const written = await findRevocation(ctx, kind, subject)
  if (written) ctx.afterCommit((database) => untilAllHaveRead(database, written))
}

/** After the database's clock was ahead and was set back: whoever was revoked meanwhile, and let in again, must not wait until that time comes. */
export async function correctRevocations(database: Database, signal?: AbortSignal): Promise<void> {
  for (const { org_id, kind, subjects } of await listAhead(database.pool)) {
    signal?.throwIfAborted()
    await stampRevocations(database, org_id, kind, subjects)
  }
}

async function untilAllHaveRead({ pool }: Database, transaction: string): Promise<void> {
  const leasesEnd = performance.now() + leaseMs + marginMs
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    const behind = await countProcessesBehind(pool, transaction, registeredMs).catch(() => null)
    const left = leasesEnd - performance.now()
    if (behind === 0 || left <= 0) return
    await sleep(Math.min(pause, left))
  }
}

export type Revocations = {
  /** Null while what is in memory may be gone by; else a reading that begins now. */
  catchUp(): Promise<void> | null
  isRevoked(claims: Claims): boolean
  /** Whether the user has been given another role since the token was. */
  hasOldRole(claims: Claims): boolean
  /** Waits until a token signed now for these would live: not in the very seconds of a revocation that it has nothing to do with. */
  outlive(token: { client_id: string; sub?: string | undefined; org_id: string | null }): Promise<void>
  refresh(): Promise<void>
  /** Calls back when something new is revoked, before whoever revoked it is answered. Returns the way to stop it. */
  onRevoked(listener: () => void): () => void
  close(): Promise<void>
}

/** Clocks of processes and of the database differ: a token stamped this much later than a revocation may be older than it. */
const skewSeconds = 1
const longestWaitMs = 5_000
const readEveryMs = 1_000

/**
 * The revocations of all organizations, in memory. A notification brings a new one at once; the reading every second keeps the lease, and is for
 * the databases, poolers and moments through which notifications do not come.
 */
export async function watchRevocations(pool: Pool, clock?: Clock): Promise<Revocations> {
  const id = newId()
  const lease = openLease(clock)
  /** `forgottenAt` by the steady clock: were it the one that can be set, a jump ahead would bring what was revoked back to life. */
  const dead = new Map<string, { until: number; forgottenAt: number }>()
  let since = '0'
  let seen: string | null = null
  let unconfirmed = true
  const listeners = new Set<() => void>()

  /** The row in `serving_processes` says which snapshot is in memory: it is written after memory, never before. */
  async function register(): Promise<void> {
    const began = lease.now()
    await saveProcess(pool, id, seen)
    lease.haveRegistered(began)
  }

  async function read(): Promise<void> {
    if (lease.registrationIsDue()) await register()
    const began = lease.now()
    const { snapshot, next, revocations } = await listRevocations(pool, since)
    for (const { org_id, kind, subject, issued_until } of revocations) {
      const [key, until] = [keyOf(org_id, kind, subject), Math.floor(issued_until.getTime() / 1000) + skewSeconds]
      if (dead.get(key)?.until !== until) unconfirmed = true
      dead.set(key, { until, forgottenAt: performance.now() + rememberedSeconds * 1000 })
    }
    since = next
    seen = snapshot
    lease.haveRead(began)
    const now = performance.now()
    for (const [key, { forgottenAt }] of dead) if (forgottenAt < now) dead.delete(key)
    if (!unconfirmed) return
    for (const listener of listeners) listener()
    // Should it fail, the next reading tries again; until then those who wait for this process wait for its lease to end.
    await register().then(
      () => {
        unconfirmed = false
      },
      () => {},
    )
  }

  const { refresh, settled } = oneAtATime(read)
  await refresh()
  const quietly = () => void refresh().catch(() => {})
  const timer = setInterval(quietly, readEveryMs).unref()
  // Not waited for: the listening connection comes when it can.
  const stopListening = listen(pool, channel, quietly)

  // A token and a grant never come back; users and applications do, and get new tokens.
  const isGone = (...key: Parameters<typeof keyOf>) => dead.has(keyOf(...key))
  const isDead = (iat: number, ...key: Parameters<typeof keyOf>) => iat <= (dead.get(keyOf(...key))?.until ?? -1)
  return {
    refresh,
    onRevoked(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    catchUp: () =>
      lease.holds()
        ? null
        : refresh().catch((error) => {
            throw unavailable('Whether the access token was revoked cannot be read at the moment. Try again.', error)
          }),
    isRevoked: ({ org_id, jti, sub, client_id, grant_id, iat }) =>
      dead.size > 0 &&
      (isGone(org_id, 'token', jti) ||
        (grant_id !== undefined && isGone(org_id, 'grant', grant_id)) ||
        isDead(iat, org_id, 'user', sub) ||
        isDead(iat, org_id, 'application', client_id)),
    hasOldRole: ({ org_id, sub, iat }) => dead.size > 0 && isDead(iat, org_id, 'role', sub),
    async outlive({ client_id, sub, org_id }) {
      const subjects = [keyOf('', 'application', client_id), ...(sub && org_id ? [keyOf(org_id, 'user', sub)] : [])]
      const until = Math.max(...subjects.map((key) => dead.get(key)?.until ?? 0))
      const latest = performance.now() + longestWaitMs
      const leftMs = () => Math.min((until + 1) * 1000 - Date.now(), latest - performance.now())
      // Asked again: a timer may end a millisecond early, which is in the last second that is revoked.
      for (let left = leftMs(); left > 0; left = leftMs()) await sleep(left)
    },
    async close() {
      clearInterval(timer)
      stopListening()
      await settled()
      // Without its row nobody waits for it. One that cannot be deleted now is not waited for after a few seconds.
      await deleteProcess(pool, id).catch(() => {})
    },
  }
}

/** Whoever asks gets a run that begins after they asked: the one under way began before and may have missed what they ask for. */
function oneAtATime(work: () => Promise<void>): { refresh(): Promise<void>; settled(): Promise<void> } {
  let underway: Promise<void> | null = null
  let next: Promise<void> | null = null
  function refresh(): Promise<void> {
    if (!underway) {
      underway = work().finally(() => {
        underway = null
      })
      return underway
    }
    next ??= underway
      .catch(() => {})
      .then(() => {
        next = null
        return refresh()
      })
    return next
  }
  return {
    refresh,
    async settled() {
      while (underway) await (next ?? underway).catch(() => {})
    },
  }
}

/** An application may act in other organizations than its own, and is revoked in all of them; its client id is unique by itself. */
function keyOf(org: string, kind: RevocationKind, subject: string): string {
  return kind === 'application' ? `application ${subject}` : `${org} ${kind} ${subject}`
}
