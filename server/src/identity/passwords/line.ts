import { Refusal } from '../../platform/core/refusal.ts'

/** `ahead`: people in browsers that know them, whom many attempts of strangers must not keep out. Those of each `source` wait in a line of their own. */
export type PlaceInLine = { ahead?: boolean; source?: string | undefined }

type Line = <T>(work: () => Promise<T>, place?: PlaceInLine) => Promise<T>

/** At two hashes in 38 ms the last of these waits 3 s, or some times that on a busy machine: people wait longer for a page. */
const mostWaiting = 128
const mostOfOneSource = 64

/** Work that goes on so many times at once, with bounded lines behind it, one for each source, served in turn. Who comes too many is refused. */
export function makeLine(atOnce: number): Line {
  let running = 0
  const first = makeSources()
  const second = makeSources()

  async function wait({ ahead = false, source = '' }: PlaceInLine): Promise<void> {
    const line = ahead ? first : second
    if (line.size() >= mostWaiting || (source !== '' && line.sizeOf(source) >= mostOfOneSource)) throw busy()
    await new Promise<void>((go) => line.add(source, go))
  }

  return async (work, place = {}) => {
    if (running >= atOnce) await wait(place)
    else running += 1
    try {
      return await work()
    } finally {
      const next = first.next() ?? second.next()
      if (next) next()
      else running -= 1
    }
  }
}

/** Work for one subject goes on once at a time, that for others at the same time. */
export function makeLines(): <T>(subject: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, { line: Line; users: number }>()
  let users = 0

  return async (subject, work) => {
    if (users >= 4 * mostWaiting) throw busy()
    const own = lines.get(subject) ?? { line: makeLine(1), users: 0 }
    lines.set(subject, own)
    users += 1
    own.users += 1
    try {
      return await own.line(work)
    } finally {
      users -= 1
      own.users -= 1
      if (own.users === 0) lines.delete(subject)
    }
  }
}

/** Those who wait, by where they come from. The next is from the source that was served longest ago, so that many of one do not delay another's. */
function makeSources() {
  const sources = new Map<string, (() => void)[]>()
  let waiting = 0
  return {
    size: () => waiting,
    sizeOf: (source: string) => sources.get(source)?.length ?? 0,
    add(source: string, go: () => void): void {
      waiting += 1
      sources.set(source, [...(sources.get(source) ?? []), go])
    },
    next(): (() => void) | undefined {
      const [entry] = sources
      if (!entry) return undefined
      const [source, [go, ...others]] = entry as [string, [() => void, ...(() => void)[]]]
      waiting -= 1
      sources.delete(source)
      if (others.length > 0) sources.set(source, others)
      return go
    },
  }
}

function busy(): Refusal {
  return new Refusal('unavailable', 'busy', 'Too many people are signing in at this moment. Try again shortly.', {
    headers: { 'retry-after': '2' },
  })
}
