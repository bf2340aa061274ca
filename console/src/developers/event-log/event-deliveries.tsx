import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { DeliveriesTable } from '../webhooks/deliveries-table.tsx'
import { eventDeliveriesQuery, webhookNamesQuery } from '../webhooks/queries.ts'
import { nameOf } from '../webhooks/words.tsx'

/** Where an event was sent, and what came back. */
export function EventDeliveries({ eventId }: { eventId: string }) {
  const { data, error, refetch } = useQuery(eventDeliveriesQuery(eventId))
  const { data: webhooks } = useQuery(webhookNamesQuery)
  const webhookName = (id: string) => {
    const webhook = webhooks?.find((known) => known.id === id)
    return webhook ? nameOf(webhook) : 'A webhook'
  }
  return (
    <Panel title="Deliveries">
      {error && !data ? <Failed error={error} what="the deliveries" retry={() => void refetch()} /> : null}
      {!data && !error && <Skeleton height={60} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          This event was sent to no webhook. Webhooks are sent what happens after they were created, of the types that
          they ask for.
        </Text>
      )}
      {data && data.length > 0 && <DeliveriesTable deliveries={data} webhookName={webhookName} />}
    </Panel>
  )
}
