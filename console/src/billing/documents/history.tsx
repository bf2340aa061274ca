import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { timeOf } from '../../parts/dates.ts'
import { Failed } from '../../parts/failed.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ActorName } from '../actor-name.tsx'
import { Changes, type DocumentEvent } from './changes.tsx'
import type { AnyFields } from './field.ts'
import styles from './history.module.css'

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
  return (
    <Panel title="History">
      {error && <Failed error={error} what="the history" retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} />}
      {data && (
        <Stack component="ol" gap="md" className={styles.list ?? ''}>
          {oncePerChange(data.events).map((event) => (
            <Entry key={event.id} event={event} fields={fields} />
          ))}
        </Stack>
      )}
      {data && data.total > data.events.length && data.limit === data.events.length && (
        <Button mt="md" size="xs" variant="default" loading={isFetching} onClick={() => setLimit(limit + step)}>
          Show older
        </Button>
      )}
    </Panel>
  )
}

/** A change of state records up to three events; people read the one that says most. */
function oncePerChange(events: readonly DocumentEvent[]): DocumentEvent[] {
  return events.filter((event) => !events.some((another) => another.revision === event.revision && rank(another) > rank(event)))
}

function rank({ type }: DocumentEvent): number {
  return type.endsWith('.status_updated') ? 0 : type.endsWith('.updated') ? 1 : 2
}

function Entry({ event, fields }: { event: DocumentEvent; fields: AnyFields }) {
  const { type, occurred_at, actor, actor_name } = event
  const what = type.slice(type.indexOf('.') + 1)
  const reason = (event.data as { reason?: string } | null)?.reason
  return (
    <li className={styles.entry}>
      <Group gap={6}>
        <Text size="sm" fw={600}>
          {words[what] ?? type}
        </Text>
        <Text size="sm" c="dimmed">
          by <ActorName actor={actor} name={actor_name} /> · <time dateTime={occurred_at}>{timeOf(occurred_at)}</time>
        </Text>
      </Group>
      {reason && <Text size="sm">“{reason}”</Text>}
      {what !== 'created' && <Changes event={event} fields={fields} />}
    </li>
  )
}
