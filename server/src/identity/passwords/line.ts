import { Refusal } from '../../platform/core/refusal.ts'
import { type Share, shareOut } from '../../platform/core/turns/shares.ts'

/** `ahead`: people in browsers that know them, whom many attempts of strangers must not keep out. Those of each `source` wait in a line of their own. */
export type PlaceInLine = { ahead?: boolean; source?: string | undefined }

/** At two hashes in 38 ms the last of these waits 3 s, or some times that on a busy machine: people wait longer for a page. */
const mostWaiting = 128
const mostOfOneSource = 64
/** After this nobody looks at the page any more. */
const longestWaitMs = 60_000

/** Work that goes on so many times at once, with bounded lines behind it, one for each source, served in turn. Who comes too many is refused. */
export function makeLine(atOnce: number): <T>(work: () => Promise<T>, place?: PlaceInLine) => Promise<T> {
  const places = shareOut<'ahead'>({
    places: atOnce,
    mayEnter: (_, free) => free > 0,
    mostWaiting: (source) => (source === '' ? mostWaiting : mostOfOneSource),
    mostWaitingInAll: mostWaiting,
    ahead: 'ahead',
    waitMs: longestWaitMs,
    refuse: busy,
  })
  return (work, { ahead = false, source = '' } = {}) => within(places, source, work, ahead ? 'ahead' : 'read')
}

/** Work for one subject goes on once at a time, that for others at the same time. */
export function makeLines(): <T>(subject: string, work: () => Promise<T>) => Promise<T> {
  const places = shareOut({
    places: Number.POSITIVE_INFINITY,
    mayEnter: (held) => held === 0,
    mostWaiting,
    mostWaitingInAll: 4 * mostWaiting,
    waitMs: longestWaitMs,
    refuse: busy,
  })
  return (subject, work) => within(places, subject, work)
}

async function within<T>(
  places: Share<'ahead'>,
  of: string,
  work: () => Promise<T>,
  use?: 'ahead' | 'read',
): Promise<T> {
  const leave = await places.enter(of, use)
  try {
    return await work()
  } finally {
    leave()
  }
}

function busy(): Refusal {
  return new Refusal('unavailable', 'busy', 'Too many people are signing in at this moment. Try again shortly.', {
    headers: { 'retry-after': '2' },
  })
}
