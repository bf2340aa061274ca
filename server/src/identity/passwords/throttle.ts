import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { Refusal } from '../../platform/core/refusal.ts'
import type { Pool } from '../../platform/db/pool/connect.ts'
import type { Run } from '../../platform/db/sql/rows.ts'
import { makeLine, makeLines, type PlaceInLine } from './line.ts'
import { type Count, deleteCount, lockCounts, lowerCounts, saveCounts } from './throttle-store.ts'

/** An attempt to prove who one is, by what is known of where it comes from. docs/decisions/sign-in.md says why each kind is counted as it is. */
export type Attempt =
  /** From a browser in which this person signed in before: counted for that browser alone, so nobody else's attempts matter. */
  | { from: 'known browser'; browser: string }
  | { from: 'page'; account: string; address: string }
  | { from: 'application'; account: string; address: string; application: string }
  /** Only whoever holds the link of an invitation can try here. */
  | { from: 'invitation'; invitation: string }
  /** What is no signed link of the partner portal. */
  | { from: 'link'; address: string }

/** Something that failures are counted for: how many are free, and the longest wait that one more can cause. */
type Limit = { subject: string; free: number; longestSeconds: number }
type Limits = {
  /** Has only failures of the same origin in it, and refuses that origin. */
  own: Limit
  /** Refuses everyone who shares it. */
  shared: Limit[]
  /** Refuses nobody: while it has more failures than are free, `own` allows none without a wait, and its waits are longer. */
  pressure: Limit[]
}

const rememberedMs = 3_600_000
const longest = 900
const shortest = 60
const underPressure = 30

/** Attempts for one account wait for each other, and must not take all connections of the process while they do. */
const inTurn = makeLine(2)
const inOwnLine = makeLines()

/**
 * Counts an attempt before the password is looked at, so that guesses made in parallel are counted too; `resetCount` takes it back when the password
 * was right. An attempt that is refused is counted nowhere. An account that does not exist is counted like one that does.
 */
export async function countAttempt(pool: Pool, attempt: Attempt, at: Date): Promise<void> {
  const limits = limitsOf(attempt)
  const all = [limits.own, ...limits.shared, ...limits.pressure]
  const count = async (run: Run) => {
    const counts = await lockCounts(run, all.map(hashOf), new Date(at.getTime() + rememberedMs))
    const decided = decide(limits, (limit) => current(counts.get(hashOf(limit)), limit, at), at)
    if ('next' in decided)
      await saveCounts(
        run,
        decided.next.map(([limit, count]) => [hashOf(limit), count]),
      )
    return 'wait' in decided ? decided.wait : 0
  }
  const wait = await inTurn(() => pool.transaction(count), placeOf(attempt))
  if (wait === 0) return
  throw new Refusal('too_many', 'too_many_attempts', `Too many failed attempts to sign in. Try again in ${wait} s.`, {
    headers: { 'retry-after': String(wait) },
  })
}

/** The password was right: its origin starts again at nothing; what was counted for others shrinks by this one. */
export async function resetCount(pool: Pool, attempt: Attempt, at: Date): Promise<void> {
  const { own, shared, pressure } = limitsOf(attempt)
  await deleteCount(pool.run, hashOf(own))
  if (shared.length + pressure.length > 0) await lowerCounts(pool.run, [...shared, ...pressure].map(hashOf), at)
}

/** The password was not looked at after all. */
export async function takeBack(pool: Pool, attempt: Attempt, at: Date): Promise<void> {
  const { own, shared, pressure } = limitsOf(attempt)
  await lowerCounts(pool.run, [own, ...shared, ...pressure].map(hashOf), at)
}

/**
 * Attempts of one origin go on one after another. Each is counted until its password is known to be right: at the same time, many right ones would
 * look like guesses.
 */
export function oneAfterAnother<T>(attempt: Attempt, work: () => Promise<T>): Promise<T> {
  return inOwnLine(limitsOf(attempt).own.subject, work)
}

/** Where an attempt waits for its turn when many come. */
export function placeOf(attempt: Attempt): PlaceInLine {
  return attempt.from === 'known browser'
    ? { ahead: true }
    : attempt.from === 'page' || attempt.from === 'link'
      ? { source: networkOf(attempt.address) }
      : {}
}

/** The one way to write an account's name: were the search for it more lenient than the count, each way of writing it would have guesses of its own. */
export function accountName(account: string): string {
  return account.trim().toLowerCase()
}

/** Whoever has an IPv6 address usually has all of its network of 64 bits. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? []
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const groups =
    tail === undefined
      ? before
      : [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

export function limitsOf(attempt: Attempt): Limits {
  if (attempt.from === 'known browser') return alone(`browser ${attempt.browser}`, 10)
  if (attempt.from === 'invitation') return alone(`invitation ${attempt.invitation}`, 5)
  if (attempt.from === 'link') return alone(`links from ${networkOf(attempt.address)}`, 20)
  const { account, address } = attempt
  const network = networkOf(address)
  const attacked = { subject: `account ${account}`, free: 20, longestSeconds: 0 }
  if (attempt.from === 'page') {
    return {
      own: { subject: `account ${account} from ${network}`, free: 5, longestSeconds: longest },
      shared: [{ subject: `network ${network}`, free: 100, longestSeconds: shortest }],
      pressure: [attacked],
    }
  }
  const { application } = attempt
  return {
    // The address may be that of a server through which many people sign in, so the wait is short, and the address alone is not counted.
    own: { subject: `account ${account} from ${network} through ${application}`, free: 5, longestSeconds: shortest },
    shared: [],
    pressure: [attacked, { subject: `application ${application}`, free: 200, longestSeconds: 0 }],
  }
}

function alone(subject: string, free: number): Limits {
  return { own: { subject, free, longestSeconds: longest }, shared: [], pressure: [] }
}

export function decide(
  { own, shared, pressure }: Limits,
  countOf: (limit: Limit) => Count,
  at: Date,
): { wait: number } | { next: (readonly [Limit, Count])[] } {
  const waits = [own, ...shared].map((limit) => countOf(limit).blockedUntil.getTime() - at.getTime())
  const wait = Math.ceil(Math.max(...waits) / 1000)
  if (wait > 0) return { wait }
  const pressed = pressure.some((limit) => countOf(limit).failures >= limit.free)
  const next = [own, ...shared, ...pressure].map((limit) => {
    const failures = countOf(limit).failures + 1
    const seconds =
      limit === own && pressed ? waitAfter(failures, { ...own, free: 0 }, underPressure) : waitAfter(failures, limit, 1)
    return [
      limit,
      {
        failures,
        blockedUntil: new Date(at.getTime() + seconds * 1000),
        expiresAt: new Date(at.getTime() + rememberedMs),
      },
    ] as const
  })
  return { next }
}

/** None while failures are free, then 1, 3, 7 … times the unit. */
function waitAfter(failures: number, { free, longestSeconds }: Limit, unit: number): number {
  return Math.min(longestSeconds, unit * (2 ** Math.max(0, Math.min(20, failures - free)) - 1))
}

/** A wait that is longer than any is what a clock that was ahead left behind: its failures count, the wait does not. */
function current(count: Count | undefined, { longestSeconds }: Limit, at: Date): Count {
  if (!count || count.expiresAt <= at) return { failures: 0, blockedUntil: at, expiresAt: at }
  return count.blockedUntil.getTime() - at.getTime() > longestSeconds * 1000 ? { ...count, blockedUntil: at } : count
}

function hashOf({ subject }: Limit): string {
  return createHash('sha256').update(subject).digest('hex')
}
