import { messagesIn } from '@lading/sdk'
import { useDocumentVisibility } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { Problem } from '../../app/api/problem.ts'
import { leaveWhenSignedOut } from '../../app/api/queries.ts'

import { type Event, openStream } from './queries.ts'

export type LiveState = 'off' | 'connecting' | 'live'

type Following = {
  /** Where the stream begins; undefined while that is not known. */
  after: string | undefined
  types: string[] | undefined
  isOn: boolean
  onEvent: (event: Event) => void
  /** The position is too old to go on from: the list has to be read again. */
  onExpired: () => void
}

/**
 * Follows the feed, and goes on where it stopped when the stream ends: with every access token, with a restart of the server, with the connection.
 * A tab in the background has no stream, because browsers open six connections to a server at most, for all tabs together.
 */
export function useLive({ after, types, isOn, onEvent, onExpired }: Following): LiveState {
  const [state, setState] = useState<LiveState>('off')
  const isSeen = useDocumentVisibility() !== 'hidden'
  const position = useRef({ after, at: after })
  const handlers = useRef({ onEvent, onExpired })
  handlers.current = { onEvent, onExpired }
  const typesText = types?.join()
  useEffect(() => {
    if (!isOn || !isSeen || after === undefined) return
    if (position.current.after !== after) position.current = { after, at: after }
    const stopping = new AbortController()
    const { signal } = stopping
    setState('connecting')
    const run = async () => {
      for (let failures = 0; !signal.aborted; ) {
        try {
          const stream = await openStream({ after: position.current.at ?? after, types: typesText?.split(',') }, signal)
          setState('live')
          for await (const { id, data } of messagesIn(stream)) {
            if (signal.aborted) return
            failures = 0
            if (data) handlers.current.onEvent(JSON.parse(data))
            if (id) position.current.at = id
          }
        } catch (error) {
          if (signal.aborted || leaveWhenSignedOut(error)) return
          if (error instanceof Problem && error.status === 410) return handlers.current.onExpired()
        }
        if (signal.aborted) return
        setState('connecting')
        await pause(Math.min(500 * 2 ** failures++, 15_000), signal)
      }
    }
    void run()
    return () => {
      stopping.abort()
      setState('off')
    }
  }, [isOn, isSeen, after, typesText])
  return state
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })
}
