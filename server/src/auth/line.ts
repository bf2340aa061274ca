import { Refusal } from '../core/refusal.ts'

/** `ahead`: people in browsers that know them, whom a flood of strangers must not keep out. Of one `source` only a few wait at a time. */
export type Place = { ahead?: boolean; source?: string | undefined }

const mostWaiting = 64
const mostOfOneSource = 8

/** Work that goes on so many times at once, with bounded lines behind it; who comes too many is refused. */
export function makeLine(atOnce: number): <T>(work: () => Promise<T>, place?: Place) => Promise<T> {
  type Waiting = { source: string | undefined; go: () => void }
  let running = 0
  const first: Waiting[] = []
  const second: Waiting[] = []

  async function wait({ ahead = false, source }: Place): Promise<void> {
    const line = ahead ? first : second
    const tooMany = source !== undefined && line.filter((one) => one.source === source).length >= mostOfOneSource
    if (tooMany || line.length >= mostWaiting)
      throw new Refusal('unavailable', 'busy', 'Too many people are signing in at this moment. Try again shortly.', { headers: { 'retry-after': '2' } })
    await new Promise<void>((go) => line.push({ source, go }))
  }

  return async (work, place = {}) => {
    if (running >= atOnce) await wait(place)
    else running += 1
    try {
      return await work()
    } finally {
      const next = first.shift() ?? second.shift()
      if (next) next.go()
      else running -= 1
    }
  }
}
