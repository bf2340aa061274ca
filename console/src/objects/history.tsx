import type { Schemas } from '@lading/sdk'
import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../api/me.ts'
import { type Column, DataTable, TableSkeleton } from '../parts/data-table.tsx'
import { timeOf } from '../parts/dates.ts'
import { Failed } from '../parts/failed.tsx'
import { type Money, useMoney } from './amounts.ts'
import { type Fields, isRecord, type Kind, placesOf, type Shape } from './kind.ts'
import { historyQuery, peopleQuery, useReferred } from './queries.ts'
import { ObjectLink, textOfValue } from './value.tsx'

type Event = Schemas['Event']

/** Every change with the values before and after it, newest first. */
export function History({ kind, id }: { kind: Kind; id: string }) {
  const [page, setPage] = useState(1)
  const moneyIn = useMoney(kind)
  const nameOf = useActorNames()
  const { data, error, refetch } = useQuery({ ...historyQuery(id, page), placeholderData: keepPreviousData })
  if (error) return <Failed error={error} what="the history" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { events, offset, limit, total } = data
  const columns: Column<Event>[] = [
    { label: 'When', show: ({ occurred_at }) => <time dateTime={occurred_at}>{timeOf(occurred_at)}</time> },
    { label: 'Who', show: ({ actor }) => nameOf(actor) },
    { label: 'What', show: ({ type }) => wordsOfVerb(type) },
    { label: 'Change', show: (event) => <Changes kind={kind} event={event} moneyIn={moneyIn} /> },
  ]
  return <DataTable label="History" columns={columns} rows={events} keyOf={({ id }) => id} paging={{ offset, limit, total, onPage: setPage }} />
}

function Changes({ kind, event, moneyIn }: { kind: Kind; event: Event; moneyIn: (fields: Fields) => Money }) {
  const after = isRecord(event.data) ? event.data : {}
  const before = isRecord(event.previous) ? event.previous : {}
  const places = placesOf(kind)
  const keys = Object.keys(before)
  if (keys.length === 0) return '–'
  return keys.map((key) => {
    const place = places.find(({ path }) => path === key)
    const shape: Shape = place?.shape ?? { type: 'text' }
    const shown = (fields: Fields) => <ValueThen shape={shape} value={fields[key]} money={moneyIn({ ...after, ...fields })} />
    return (
      <Text key={key} size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        <Text span size="sm" c="dimmed">
          {place?.label ?? key}:
        </Text>{' '}
        {shown(before)} → {shown(after)}
      </Text>
    )
  })
}

/** The value of a field; for a reference, a link to the object. */
function ValueThen({ shape, value, money }: { shape: Shape; value: unknown; money: Money }) {
  const target = shape.type === 'reference' ? (shape.objectKey ?? '') : ''
  const referred = useReferred(target, target && typeof value === 'string' ? [value] : []).get(String(value))
  return referred ? <ObjectLink object={referred} /> : textOfValue(shape, value, money)
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
    if (id === user?.id) return 'You'
    if (type === 'user') return data?.find((person) => person.id === id)?.name ?? 'A user'
    return type === 'application' ? 'An application' : 'The system'
  }
}
