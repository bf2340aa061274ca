import type { Context } from '../../context.ts'
import { listPublished } from '../feed/feed-store.ts'
import type { WatchHead } from '../feed/heads.ts'
import { writePosition } from '../feed/position.ts'
import { isReadable, type ReadableEvents } from '../feed/readable.ts'
import { type EventChoice, isChosen } from '../types.ts'

/** Behind a position there is no end: what is committed is all that can be read. */
const noEnd = Number.MAX_SAFE_INTEGER
const pageSize = 200

type Following = {
  after: number
  types: EventChoice | undefined
  readable: ReadableEvents | undefined
  watch: WatchHead
  signal: AbortSignal
  /** A comment is sent when nothing else was for so long, so that nobody on the way takes the connection for lost. */
  quietMs: number
}

/**
 * The feed behind a position as Server-Sent Events, until the signal. Pages are read without a filter: those who wait at the same position ask the same,
 * and share one answer. The next page is read when this one has been taken.
 */
export async function* followFeed(
  ctx: Context,
  { after, types, readable, watch, signal, quietMs }: Following,
): AsyncGenerator<string> {
  const news = waker()
  const unwatch = watch(ctx.org, news.wake)
  signal.addEventListener('abort', news.wake, { once: true })
  try {
    yield `retry: 2000\nid: ${writePosition(after)}\n\n`
    for (let position = after; !signal.aborted; ) {
      const events = await listPublished(ctx, { after: position, upTo: noEnd, limit: pageSize })
      const wanted = events.filter((event) => isChosen(types, event.type) && isReadable(readable, event))
      position = events.at(-1)?.position ?? position
      if (wanted.length > 0) yield wanted.map(asText).join('')
      // So that who resumes does not begin before what was left out.
      else if (events.length > 0) yield `id: ${writePosition(position)}\n\n`
      if (events.length === pageSize) continue
      if ((await news.wait(quietMs)) === 'quiet') yield ': nothing new\n\n'
    }
  } finally {
    unwatch()
    signal.removeEventListener('abort', news.wake)
  }
}

function asText({ position, json }: { position: number; json: string }): string {
  return `id: ${writePosition(position)}\ndata: ${json}\n\n`
}

/** News that come while nobody waits are kept for who waits next. */
function waker(): { wake(): void; wait(ms: number): Promise<'news' | 'quiet'> } {
  let hasNews = false
  let resolve: (() => void) | null = null
  return {
    wake() {
      hasNews = true
      resolve?.()
    },
    async wait(ms) {
      if (!hasNews) {
        let timer: NodeJS.Timeout | undefined
        await new Promise<void>((done) => {
          resolve = done
          timer = setTimeout(done, ms)
        })
        clearTimeout(timer)
        resolve = null
      }
      const outcome = hasNews ? 'news' : 'quiet'
      hasNews = false
      return outcome
    },
  }
}
