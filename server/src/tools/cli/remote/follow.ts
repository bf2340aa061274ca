import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../../platform/core/refusal.ts'
import { StartError } from '../../../platform/core/start-error.ts'
import { type Api, reasonOf, refusalOf } from './api.ts'

export type FollowedEvent = { id: string; type: string; occurred_at: string; [field: string]: unknown }

type Following = {
  types?: readonly string[] | undefined
  stop: AbortSignal
  /** Called once, when the stream is open: what happens from here on will come. */
  opened(): void
  lost(why: string): void
}

/** Between a lost connection and the next attempt, unless the server says otherwise. */
const pauseMs = 2_000

/**
 * The events of the stream from now on, each once: after a lost connection it goes on behind the last one. A stream that cannot be opened the first time,
 * or that the server refuses, is an error.
 */
export async function* followEvents(api: Api, { types, stop, opened, lost }: Following): AsyncGenerator<FollowedEvent> {
  const query = types?.length ? `?${new URLSearchParams({ types: types.join(',') })}` : ''
  let position: string | undefined
  let wait = pauseMs
  for (let first = true; !stop.aborted; ) {
    try {
      const headers = { accept: 'text/event-stream', ...(position !== undefined && { 'last-event-id': position }) }
      const answer = await api.send(`/api/v1/events/stream${query}`, { headers, signal: stop })
      if (!answer.ok || !answer.body) throw await refusalOf(answer)
      for await (const { id, data, retry } of readStream(answer.body)) {
        // The first message has the position at which the stream begins.
        if (position === undefined && id !== undefined) opened()
        first = false
        position = id ?? position
        wait = retry ?? wait
        if (data !== undefined) yield JSON.parse(data)
      }
      lost('the server ended the stream')
    } catch (error) {
      if (stop.aborted) return
      if (first || isRefused(error)) throw error
      lost(error instanceof StartError ? error.message : reasonOf(error))
    }
    await sleep(wait, undefined, { signal: stop }).catch(() => {})
  }
}

/** Refused for good: the position is too old, the scope is missing, the token cannot be renewed. A server that is busy or away may be asked again. */
function isRefused(error: unknown): boolean {
  return error instanceof Refusal && error.kind !== 'unavailable'
}

export type Message = { id?: string; data?: string; retry?: number }

/** Server-Sent Events, as the standard writes them: fields on lines, a message ends with an empty line, and one that begins with a colon is a comment. */
export async function* readStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder()
  let rest = ''
  let message: Message = {}
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split(/\r\n|\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (Object.keys(message).length > 0) yield message
        message = {}
        continue
      }
      const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
      if (field === 'id') message.id = value
      else if (field === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`
      else if (field === 'retry' && /^\d+$/.test(value)) message.retry = Number(value)
    }
  }
}
