import type { Schemas } from '@lading/sdk'
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActorName } from '../billing/actor-name.tsx'
import { timeOf } from '../parts/dates.ts'
import { Failed } from '../parts/failed.tsx'
import { Panel } from '../parts/panel.tsx'
import { Changes } from './changes.tsx'
import styles from './history.module.css'
import { historyQuery } from './queries.ts'

export type BillEvent = Schemas['Event'] & { actor_name: string | null }

const words: Record<string, string> = {
  'bill.created': 'Created',
  'bill.updated': 'Changed',
  'bill.saved': 'Saved',
  'bill.sent': 'Sent',
  'bill.edited': 'Changed after sending',
  'bill.paid': 'Paid',
  'bill.reopened': 'Reopened',
  'bill.unsaved': 'Made a draft again',
}

const step = 20

export function History({ billId }: { billId: string }) {
  const [limit, setLimit] = useState(step)
  const { data, error, refetch, isFetching } = useQuery(historyQuery(billId, limit))
  return (
    <Panel title="History">
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} />}
      {data && (
        <Stack component="ol" gap="md" className={styles.list ?? ''}>
          {changesIn(data.events).map((event) => (
            <Entry key={event.id} event={event} />
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

/** A move leaves two events, one for whoever watches all moves and one by its name; a person reads it once. */
export function changesIn(events: readonly BillEvent[]): BillEvent[] {
  return events.filter(
    (event) =>
      !(event.type === 'bill.status_updated' || event.type === 'bill.updated') ||
      !events.some((other) => other !== event && other.revision === event.revision && rank(other.type) > rank(event.type)),
  )
}

function rank(type: string): number {
  return type === 'bill.status_updated' ? 0 : type === 'bill.updated' ? 1 : 2
}

function Entry({ event }: { event: BillEvent }) {
  const { type, occurred_at, actor, actor_name } = event
  const reason = (event.data as { reason?: string } | null)?.reason
  return (
    <li className={styles.entry}>
      <Group gap={6}>
        <Text size="sm" fw={600}>
          {words[type] ?? type}
        </Text>
        <Text size="sm" c="dimmed">
          by <ActorName actor={actor} name={actor_name} /> · <time dateTime={occurred_at}>{timeOf(occurred_at)}</time>
        </Text>
      </Group>
      {reason && <Text size="sm">“{reason}”</Text>}
      {type !== 'bill.created' && <Changes event={event} />}
    </li>
  )
}
