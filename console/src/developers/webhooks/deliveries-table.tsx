import { Anchor, Code, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMe } from '../../app/api/me.ts'
import { IconRefresh } from '../../app/icons/icons.ts'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { Moment } from '../../app/parts/when.tsx'
import { type Column, DataTable, type Paging } from '../../app/table/data-table.tsx'
import { rowLink } from '../../app/table/open-row.ts'
import { RowAction } from '../../app/table/row-action.tsx'
import { webhooksPath } from '../paths.ts'
import type { Delivery } from './queries.ts'
import { useResendNow } from './use-resend-now.ts'
import { deliveryStates, LastAnswer, NextAttempt } from './words.tsx'

type DeliveriesTableProps = {
  deliveries: readonly Delivery[]
  /** Where the deliveries of several webhooks are shown: what each is called. The rows are named by their event otherwise. */
  webhookName?: (id: string) => string
  paging?: Paging
  waiting?: boolean
}

export function DeliveriesTable({ deliveries, webhookName, paging, waiting = false }: DeliveriesTableProps) {
  const { isAdmin } = useMe()
  const { resend, isPending } = useResendNow()
  const pathOf = ({ id, webhook_id }: Delivery) => `${webhooksPath}/${webhook_id}/deliveries/${id}`
  const columns: Column<Delivery>[] = [
    {
      label: webhookName ? 'Webhook' : 'Event',
      show: (delivery) => (
        <Anchor
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
          renderRoot={(props) => <Link to={pathOf(delivery)} {...rowLink} {...props} />}
        >
          {webhookName ? (
            webhookName(delivery.webhook_id)
          ) : (
            <Code style={{ overflowWrap: 'anywhere' }}>{delivery.type}</Code>
          )}
        </Anchor>
      ),
    },
    { label: 'State', show: ({ state }) => <StateBadge {...deliveryStates[state]} /> },
    { label: 'Attempts', end: true, show: ({ attempt_count }) => attempt_count.toLocaleString() },
    {
      label: 'Last answer',
      show: (delivery) => (
        <Text size="sm" lineClamp={3}>
          <LastAnswer delivery={delivery} />
        </Text>
      ),
    },
    { label: 'Next attempt', show: (delivery) => <NextAttempt delivery={delivery} /> },
    { label: 'Created', show: ({ created_at }) => <Moment at={created_at} /> },
    ...(isAdmin
      ? [
          {
            label: 'Actions',
            show: ({ id, type }: Delivery) => (
              <RowAction
                icon={IconRefresh}
                label="Send again"
                of={type}
                disabled={isPending}
                onClick={() => resend(id)}
              />
            ),
          },
        ]
      : []),
  ]
  return (
    <DataTable
      label="Deliveries"
      columns={columns}
      rows={deliveries}
      keyOf={({ id }) => id}
      waiting={waiting}
      {...(paging && { paging })}
    />
  )
}
