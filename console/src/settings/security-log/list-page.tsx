import { Button, Group, Paper, Select, SimpleGrid, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { IconShieldCheck, IconX } from '../../app/icons/icons.ts'
import { ForAdmins } from '../../app/parts/admins-only.tsx'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { timeOf } from '../../app/values/dates.ts'
import { type EventType, type SecurityEvent, securityEventsQuery } from './queries.ts'
import type { LogSearch } from './search.ts'

export function ListPage() {
  return (
    <ForAdmins>
      <Page
        title="Security log"
        lead="Who signed in or failed to, and changes of people, roles, applications, their access, and webhooks. If you do not recognize a sign-in, disable the person and talk to them."
      >
        <Log />
      </Page>
    </ForAdmins>
  )
}

function Log() {
  const search = useSearch({ strict: false }) as LogSearch
  const navigate = useNavigate()
  const go = (next: LogSearch) => void navigate({ to: '/settings/security-log', search: next })
  return (
    <>
      <Filters search={search} go={go} />
      <Entries search={search} go={go} />
    </>
  )
}

type SearchProps = { search: LogSearch; go: (next: LogSearch) => void }

function Filters({ search: { page: _, ...search }, go }: SearchProps) {
  const set = (key: 'type' | 'from' | 'to', value: string | null) => {
    const { [key]: __, ...others } = search
    go({ ...others, ...(value && { [key]: value }) })
  }
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label="Filters">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Select
          label="What happened"
          placeholder="Anything"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear what happened' }}
          data={Object.entries(typeWords).map(([value, label]) => ({ value, label }))}
          value={search.type ?? null}
          onChange={(type) => set('type', type)}
        />
        <TextInput
          type="date"
          label="From"
          value={search.from ?? ''}
          onChange={(event) => set('from', event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label="To"
          value={search.to ?? ''}
          onChange={(event) => set('to', event.currentTarget.value)}
        />
      </SimpleGrid>
      {Object.keys(search).length > 0 && (
        <Group mt="sm">
          <Button size="xs" variant="subtle" leftSection={<IconX size={15} aria-hidden />} onClick={() => go({})}>
            Clear filters
          </Button>
        </Group>
      )}
    </Paper>
  )
}

function Entries({ search, go }: SearchProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...securityEventsQuery(search),
    placeholderData: keepPreviousData,
  })
  if (error) return <Failed error={error} what="the security log" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { security_events, offset, limit, total } = data
  if (security_events.length === 0) {
    return (
      <Notice icon={IconShieldCheck} title="Nothing found">
        Nothing in the log matches the filters above.
      </Notice>
    )
  }
  const paging = { offset, limit, total, onPage: (page: number) => go({ ...search, page }) }
  return (
    <DataTable
      label="Security log"
      columns={columns}
      rows={security_events}
      keyOf={({ id }) => id}
      paging={paging}
      waiting={isPlaceholderData}
    />
  )
}

const typeWords: Record<EventType, string> = {
  'sign_in.succeeded': 'Sign-in',
  'sign_in.failed': 'Failed sign-in',
  'session.ended': 'Sign-out',
  'password.changed': 'Password changed',
  'user.created': 'Person invited',
  'user.invited': 'Person invited again',
  'user.joined': 'Person joined',
  'user.updated': 'Person or role changed',
  'user.disabled': 'Person disabled',
  'user.enabled': 'Person enabled',
  'oauth_application.created': 'Application created',
  'oauth_application.updated': 'Application changed',
  'oauth_application.secret_rotated': 'Secret replaced',
  'oauth_application.disabled': 'Application disabled',
  'oauth_application.enabled': 'Application enabled',
  'oauth_application.deleted': 'Application deleted',
  'webhook.created': 'Webhook created',
  'webhook.updated': 'Webhook changed',
  'webhook.secret_rotated': 'Secret of a webhook replaced',
  'webhook.disabled': 'Webhook disabled',
  'webhook.enabled': 'Webhook enabled',
  'webhook.deleted': 'Webhook deleted',
  'grant.created': 'Access allowed',
  'grant.revoked': 'Access ended',
  'portal_link.created': 'Link for a carrier made',
  'portal_link.revoked': 'Link for a carrier revoked',
  'organization.updated': 'Setting changed',
  'payee.changed': 'Change of a payee approved',
  'payee.revealed': 'Bank details shown',
  'payment_run.downloaded': 'Bank file downloaded',
}

const columns: Column<SecurityEvent>[] = [
  { label: 'When', show: ({ occurred_at }) => <time dateTime={occurred_at}>{timeOf(occurred_at)}</time> },
  {
    label: 'What happened',
    show: ({ type, summary }) => (
      <>
        <Text size="sm" fw={600}>
          {typeWords[type]}
        </Text>
        <Text size="sm" c="dimmed">
          {summary}
        </Text>
      </>
    ),
  },
  {
    label: 'Person',
    show: ({ user }) =>
      user ? (
        <>
          <Text size="sm">{user.name ?? 'A person who is gone'}</Text>
          <Text size="sm" c="dimmed">
            {user.email}
          </Text>
        </>
      ) : (
        '–'
      ),
  },
  {
    label: 'Application',
    show: ({ application }) => (application ? (application.name ?? nameOf(application.client_id)) : '–'),
  },
  {
    label: 'From',
    show: ({ address, user_agent }) => (
      <>
        <Text size="sm">{address ?? '–'}</Text>
        {user_agent && (
          <Text size="xs" c="dimmed" lineClamp={2} maw={280} title={user_agent}>
            {user_agent}
          </Text>
        )}
      </>
    ),
  },
]

function nameOf(clientId: string): string {
  return clientId === 'lading-console' ? 'Console' : 'An application that is gone, or of another organization'
}
