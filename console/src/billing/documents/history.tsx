import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type HistoryEntry, HistoryPanel } from '../../parts/history.tsx'
import { ActorName } from '../actor-name.tsx'
import { Changes, type DocumentEvent } from './changes.tsx'
import type { AnyFields } from './field.ts'

/** By the part of the event's name after the noun: `bill.created`. */
const words: Record<string, string> = {
  created: 'Created',
  updated: 'Changed',
  saved: 'Saved',
  sent: 'Sent',
  edited: 'Changed after sending',
  paid: 'Paid',
  reopened: 'Reopened',
  unsaved: 'Changed back to a draft',
}

const step = 20

type Events = { events: readonly DocumentEvent[]; total: number; limit: number }
type HistoryProps<Data, Key extends readonly unknown[]> = { fields: AnyFields; query: (limit: number) => UseQueryOptions<Data, Error, Data, Key> }

export function History<Data extends Events, Key extends readonly unknown[]>({ fields, query }: HistoryProps<Data, Key>) {
  const [limit, setLimit] = useState(step)
  const { data, error, refetch, isFetching } = useQuery(query(limit))
  const hasOlder = data && data.total > data.events.length && data.limit === data.events.length
  return (
    <HistoryPanel
      entries={data && oncePerChange(data.events).map((event) => entryOf(event, fields))}
      error={error}
      retry={() => void refetch()}
      older={hasOlder ? { load: () => setLimit(limit + step), isLoading: isFetching } : undefined}
    />
  )
}

/** A change of state records up to three events; people read the one that says most. */
function oncePerChange(events: readonly DocumentEvent[]): DocumentEvent[] {
  return events.filter((event) => !events.some((another) => another.revision === event.revision && rank(another) > rank(event)))
}

function rank({ type }: DocumentEvent): number {
  return type.endsWith('.status_updated') ? 0 : type.endsWith('.updated') ? 1 : 2
}

function entryOf(event: DocumentEvent, fields: AnyFields): HistoryEntry {
  const { id, type, occurred_at, actor, actor_name } = event
  const what = type.slice(type.indexOf('.') + 1)
  return {
    id,
    what: words[what] ?? type,
    who: <ActorName actor={actor} name={actor_name} />,
    at: occurred_at,
    reason: (event.data as { reason?: string } | null)?.reason,
    changes: what === 'created' ? null : <Changes event={event} fields={fields} />,
  }
}
