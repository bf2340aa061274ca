import { Anchor, Button, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useMe } from '../../app/api/me.ts'
import { IconPlus, IconWebhook } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Moment } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { rowLink } from '../../app/table/open-row.ts'
import { webhooksPath } from '../paths.ts'
import { type Webhook, webhooksQuery } from './queries.ts'
import { Health, nameOf } from './words.tsx'

export function ListPage() {
  const { isAdmin } = useMe()
  return (
    <Page
      title="Webhooks"
      lead={`Addresses of your programs to which events are sent. Deliveries are signed, and repeated until your program accepts them.${isAdmin ? '' : ' Only admins can create and change webhooks.'}`}
      actions={isAdmin && <NewButton />}
    >
      <Webhooks />
    </Page>
  )
}

function Webhooks() {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number }
  const { isAdmin } = useMe()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({ ...webhooksQuery(page), placeholderData: keepPreviousData })
  if (error && !data) return <Failed error={error} what="the webhooks" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { webhooks, offset, limit, total } = data
  if (total === 0) {
    return (
      <Notice icon={IconWebhook} title="No webhooks yet" action={isAdmin && <NewButton />}>
        A webhook sends events to your program within seconds, so that it need not ask for what has changed.
        {!isAdmin && ' Ask an admin to create one.'}
      </Notice>
    )
  }
  const onPage = (next: number) => void navigate({ to: webhooksPath, search: next > 1 ? { page: next } : {} })
  return (
    <DataTable
      label="Webhooks"
      columns={columns}
      rows={webhooks}
      keyOf={({ id }) => id}
      paging={{ offset, limit, total, onPage }}
    />
  )
}

const columns: Column<Webhook>[] = [
  {
    label: 'Webhook',
    show: (webhook) => (
      <>
        <Anchor
          fw={600}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
          renderRoot={(props) => <Link to={`${webhooksPath}/${webhook.id}`} {...rowLink} {...props} />}
        >
          {nameOf(webhook)}
        </Anchor>
        {webhook.description && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {webhook.url}
          </Text>
        )}
      </>
    ),
  },
  {
    label: 'State',
    show: (webhook) => (
      <>
        <Health webhook={webhook} />
        {webhook.enabled && webhook.failing_since && (
          <Text size="sm" c="dimmed">
            Since <Moment at={webhook.failing_since} />. {webhook.last_error}
          </Text>
        )}
        {webhook.disabled_reason && (
          <Text size="sm" c="dimmed">
            {webhook.disabled_reason}
          </Text>
        )}
      </>
    ),
  },
  { label: 'Events', show: ({ event_types }) => (event_types.includes('*') ? 'All' : event_types.join(', ')) },
  { label: 'Waiting', end: true, show: ({ waiting_count }) => waiting_count.toLocaleString() },
  { label: 'Last delivered', show: ({ last_success_at }) => <Moment at={last_success_at} never="Never" /> },
]

function NewButton() {
  return (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      renderRoot={(props) => <Link to={`${webhooksPath}/new`} {...props} />}
    >
      New webhook
    </Button>
  )
}
