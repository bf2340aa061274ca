import { Select, SimpleGrid } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { IconSend } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { TableSkeleton } from '../../app/table/data-table.tsx'
import { TypesField } from '../events/types-field.tsx'
import { webhooksPath } from '../paths.ts'
import { DeliveriesTable } from './deliveries-table.tsx'
import { deliveriesQuery, type Webhook } from './queries.ts'
import type { DeliverySearch } from './search.ts'
import { deliveryStates } from './words.tsx'

/** What was sent to a webhook and what is to be sent, the newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const { page, ...search } = useSearch({ strict: false }) as DeliverySearch
  const navigate = useNavigate()
  const go = (next: DeliverySearch) => void navigate({ to: `${webhooksPath}/${webhook.id}`, search: next })
  return (
    <>
      <SimpleGrid component="section" aria-label="Filters" cols={{ base: 1, xs: 2 }} spacing="sm" mb="md" maw="40rem">
        <Select
          label="State"
          placeholder="All"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the state' }}
          data={Object.entries(deliveryStates).map(([value, { words }]) => ({ value, label: words }))}
          value={search.state ?? null}
          onChange={(state) =>
            go({
              ...(search.types && { types: search.types }),
              ...(state && { state: state as NonNullable<DeliverySearch['state']> }),
            })
          }
        />
        <TypesField
          label="Types"
          placeholder={search.types ? '' : 'All'}
          value={search.types ?? []}
          onChange={(types) => go({ ...(search.state && { state: search.state }), ...(types.length > 0 && { types }) })}
        />
      </SimpleGrid>
      <Found webhook={webhook} search={{ ...search, ...(page && { page }) }} go={go} />
    </>
  )
}

function Found({
  webhook,
  search,
  go,
}: {
  webhook: Webhook
  search: DeliverySearch
  go: (next: DeliverySearch) => void
}) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...deliveriesQuery(webhook.id, search),
    placeholderData: keepPreviousData,
  })
  if (error && !data) return <Failed error={error} what="the deliveries" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { webhook_deliveries, offset, limit, total } = data
  if (webhook_deliveries.length === 0) {
    return (
      <Notice icon={IconSend} title="No deliveries">
        {search.state || search.types
          ? 'No delivery matches the filters.'
          : 'What is sent to this webhook is shown here. Send a test event to see one.'}
      </Notice>
    )
  }
  const paging = { offset, limit, total, onPage: (page: number) => go({ ...search, page }) }
  return <DeliveriesTable deliveries={webhook_deliveries} paging={paging} waiting={isPlaceholderData} />
}
