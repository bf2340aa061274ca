import type { PlainLading, Schemas } from './client.ts'
import { answerOf, LadingConnectionError, LadingError } from './errors.ts'
import { messagesIn } from './messages.ts'
import { pause } from './retries.ts'

export type FollowOptions = {
  /** The position to begin behind, which was kept of an event or as the `next_after` of a page. Unless it is set, the stream begins now. */
  after?: string
  /** Types of events, such as `bill.paid` or `customer.*`: all unless set. */
  types?: string[]
  /** Ends the stream, quietly. */
  signal?: AbortSignal
}

/** An event, and its position: keep it when you are done with the event, to go on behind it. */
export type FollowedEvent = { event: Schemas['Event']; position: string }

/** The service sends something every 15 seconds, so a connection on which nothing comes for so long is lost. */
const longestSilenceMs = 60_000
const longestPauseMs = 30_000

/**
 * The feed of events as they happen, until the signal: `for await (const { event, position } of follow(lading, { after, signal })) …`. A stream that ends or
 * breaks off is opened again behind the last event, so that none is missing and none comes twice. What no repetition can help, such as a position that has
 * expired (410), is thrown.
 */
export async function* follow(
  lading: PlainLading,
  { after, types, signal }: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void, undefined> {
  let position = after
  let pauseMs = 2_000
  for (let failures = 0; !signal?.aborted; failures++) {
    try {
      for await (const { id, data, retry } of messagesIn(await openStream(lading, position, types, signal))) {
        failures = 0
        pauseMs = retry ?? pauseMs
        position = id ?? position
        if (data !== undefined) yield { event: JSON.parse(data), position: position as string }
        if (signal?.aborted) return
      }
    } catch (error) {
      if (signal?.aborted) return
      if (!isForTheMoment(error)) throw error
    }
    await pause(Math.min(pauseMs * 2 ** failures, longestPauseMs) * (0.5 + Math.random() / 2), signal).catch(() => {})
  }
}

function openStream(
  lading: PlainLading,
  position: string | undefined,
  types: string[] | undefined,
  signal: AbortSignal | undefined,
) {
  const params = {
    query: { ...(types && { types }) },
    header: { ...(position !== undefined && { 'last-event-id': position }) },
  }
  const call = lading.GET('/api/v1/events/stream', {
    params,
    headers: { accept: 'text/event-stream' },
    parseAs: 'stream',
    timeout: longestSilenceMs,
    ...(signal && { signal }),
  })
  return answerOf(call) as Promise<ReadableStream<Uint8Array>>
}

function isForTheMoment(error: unknown): boolean {
  return (
    error instanceof LadingConnectionError ||
    (error instanceof LadingError && (error.status === 429 || error.status >= 500))
  )
}
