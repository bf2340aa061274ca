import { Anchor, Button, Text, Tooltip } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Copyable } from '../../../app/copying/copyable.tsx'
import { IconApps, IconPlus } from '../../../app/icons/icons.ts'
import { ForAdmins } from '../../../app/parts/admins-only.tsx'
import { Failed } from '../../../app/parts/failed.tsx'
import { Notice } from '../../../app/parts/notice.tsx'
import { Page } from '../../../app/parts/page.tsx'
import { StateBadge } from '../../../app/parts/state-badge.tsx'
import { When } from '../../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../../app/table/data-table.tsx'
import { rowLink } from '../../../app/table/open-row.ts'
import type { Application } from '../application.ts'
import { applicationsQuery, useScopeName } from '../queries.ts'
import { flowWords, typeWords } from '../words.ts'

const base = '/settings/api/oauth-applications'

export function ListPage() {
  return (
    <ForAdmins>
      <Page
        title="OAuth applications"
        lead="Programs that use the API, on their own behalf or on behalf of people who allow it."
        actions={<NewButton />}
      >
        <Applications />
      </Page>
    </ForAdmins>
  )
}

function Applications() {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number }
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({ ...applicationsQuery(page), placeholderData: keepPreviousData })
  if (error) return <Failed error={error} what="the applications" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { oauth_applications, offset, limit, total } = data
  if (total === 0) {
    return (
      <Notice icon={IconApps} title="No applications yet" action={<NewButton />}>
        An application gets a client id and a secret, with which your program signs in to the API.
      </Notice>
    )
  }
  const onPage = (next: number) => void navigate({ to: base, search: next > 1 ? { page: next } : {} })
  return (
    <DataTable
      label="OAuth applications"
      columns={columns}
      rows={oauth_applications}
      keyOf={({ id }) => id}
      paging={{ offset, limit, total, onPage }}
    />
  )
}

const columns: Column<Application>[] = [
  {
    label: 'Name',
    show: ({ id, name, disabled_at }) => (
      <>
        <Anchor fw={600} size="sm" renderRoot={(props) => <Link to={`${base}/${id}`} {...rowLink} {...props} />}>
          {name}
        </Anchor>{' '}
        {disabled_at && <StateBadge words="Disabled" tone="stopped" />}
      </>
    ),
  },
  { label: 'Type', show: ({ type }) => typeWords[type].name },
  {
    label: 'Client id',
    show: ({ client_id, name }) => <Copyable short text={client_id} label={`the client id of ${name}`} />,
  },
  { label: 'Redirect URIs', show: ({ redirect_uris }) => <RedirectUris uris={redirect_uris} /> },
  { label: 'Scopes', show: ({ scopes }) => <Scopes scopes={scopes} /> },
  { label: 'Flows', show: ({ grant_types }) => <Several names={grant_types.map((flow) => flowWords[flow].name)} /> },
  { label: 'Last used', show: ({ last_used_at }) => <When at={last_used_at} never="Never" /> },
  { label: 'Created', show: ({ created_at }) => <When at={created_at} /> },
]

function Scopes({ scopes }: Pick<Application, 'scopes'>) {
  const nameOf = useScopeName()
  return <Several names={scopes.map(nameOf)} none="None" />
}

/** Whole, because a sign-in fails over a single letter. */
function RedirectUris({ uris }: { uris: readonly string[] }) {
  if (uris.length === 0) return '–'
  return uris.map((uri) => (
    <Text key={uri} size="sm" style={{ overflowWrap: 'anywhere', minWidth: '15rem' }}>
      {uri}
    </Text>
  ))
}

const most = 3

function Several({ names, none = 'None' }: { names: readonly string[]; none?: string }) {
  if (names.length === 0) return none
  const shown = names.length > most ? names.slice(0, most - 1) : names
  const hidden = names.slice(shown.length)
  if (hidden.length === 0) return shown.join(', ')
  return (
    <>
      {shown.join(', ')}{' '}
      <Tooltip label={hidden.join(', ')} multiline maw={320}>
        <Text span size="sm" c="dimmed" td="underline dotted">
          and {hidden.length} more
        </Text>
      </Tooltip>
    </>
  )
}

function NewButton() {
  return (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      renderRoot={(props) => <Link to={`${base}/new`} {...props} />}
    >
      New application
    </Button>
  )
}
