import type { Schemas } from '@lading/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../api/me.ts'
import { ChangeList, FromTo, type HistoryEntry, HistoryPanel } from '../parts/history.tsx'
import { type Money, useMoney } from './amounts.ts'
import { type Fields, isRecord, type Kind, placesOf, type Shape } from './kind.ts'
import { NamedObjectLink } from './object-name.tsx'
import { historyQuery, peopleQuery } from './queries.ts'
import { textOfValue } from './value.tsx'

type Event = Schemas['Event']

const step = 20

/** Every change with the values before and after it, newest first. */
export function History({ kind, id }: { kind: Kind; id: string }) {
  const [limit, setLimit] = useState(step)
  const moneyIn = useMoney(kind)
  const nameOf = useActorNames()
  const { data, error, refetch, isFetching } = useQuery({ ...historyQuery(id, limit), placeholderData: keepPreviousData })
  const entryOf = (event: Event): HistoryEntry => ({
    id: event.id,
    what: wordsOfVerb(event.type),
    who: nameOf(event.actor),
    at: event.occurred_at,
    changes: <Changes kind={kind} event={event} moneyIn={moneyIn} />,
  })
  const hasOlder = data && data.total > data.events.length && data.limit === data.events.length
  return (
    <HistoryPanel
      entries={data?.events.map(entryOf)}
      error={error}
      retry={() => void refetch()}
      older={hasOlder ? { load: () => setLimit(limit + step), isLoading: isFetching } : undefined}
    />
  )
}

function Changes({ kind, event, moneyIn }: { kind: Kind; event: Event; moneyIn: (fields: Fields) => Money }) {
  const after = isRecord(event.data) ? event.data : {}
  const before = isRecord(event.previous) ? event.previous : {}
  const places = placesOf(kind)
  const changes = Object.keys(before).map((key) => {
    const place = places.find(({ path }) => path === key)
    const shape: Shape = place?.shape ?? { type: 'text' }
    const shown = (fields: Fields) => <ValueThen shape={shape} value={fields[key]} money={moneyIn({ ...after, ...fields })} />
    return { key, label: place?.label ?? key, text: <FromTo from={shown(before)} to={shown(after)} /> }
  })
  return <ChangeList changes={changes} />
}

/** The value of a field; for a reference, a link to the object. */
function ValueThen({ shape, value, money }: { shape: Shape; value: unknown; money: Money }) {
  if (shape.type === 'reference' && shape.objectKey && typeof value === 'string') return <NamedObjectLink objectKey={shape.objectKey} id={value} inText />
  return textOfValue(shape, value, money)
}

const verbs: Record<string, string> = { created: 'Created', updated: 'Changed', deleted: 'Deleted', restored: 'Restored', billed: 'Billed' }

function wordsOfVerb(type: string): string {
  const verb = type.split('.').at(-1) ?? type
  return verbs[verb] ?? verb
}

/** Only admins may read the names of users. */
function useActorNames(): (actor: Event['actor']) => string {
  const { user, isAdmin } = useMe()
  const { data } = useQuery({ ...peopleQuery, enabled: isAdmin })
  return ({ type, id }) => {
    if (id === user?.id) return 'you'
    if (type === 'user') return data?.find((person) => person.id === id)?.name ?? 'a user'
    return type === 'application' ? 'an application' : 'the system'
  }
}
