import { Alert, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { RecordHistory } from '../../app/history/record-history.tsx'
import { IconAlertTriangle, IconPlugConnected, IconPlugX, IconTrash } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Page } from '../../app/parts/page.tsx'
import { RecordPage } from '../../app/parts/record-page.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { ConnectionChanges } from './changes.tsx'
import { CheckPanel } from './check-panel.tsx'
import { MappingsPanel } from './mappings-panel.tsx'
import {
  type Connection,
  connectionQuery,
  connectorsQuery,
  historyQuery,
  useDeleteConnection,
  useDisconnect,
  useSignIn,
} from './queries.ts'
import { connectionsPath } from './routes.ts'
import { SettingsPanel } from './settings-panel.tsx'
import { SyncsPanel } from './syncs-panel.tsx'
import { statusTones, statusWords } from './words.ts'

const above = { label: 'Connections', to: connectionsPath }

export function DetailPage() {
  const { connectionId = '' } = useParams({ strict: false }) as { connectionId?: string }
  return (
    <RecordPage title="Connection" above={above} query={connectionQuery(connectionId)}>
      {(connection) => <Known key={connectionId} connection={connection} />}
    </RecordPage>
  )
}

function Known({ connection }: { connection: Connection }) {
  const { name, status, remote_name, error, connector_id } = connection
  const { data } = useQuery(connectorsQuery)
  const connector = data?.find(({ id }) => id === connector_id)
  return (
    <Page
      title={name}
      above={above}
      actions={<Actions connection={connection} isOnline={connector?.transport === 'online'} />}
      lead={
        <Group component="span" gap="sm">
          <StateBadge words={statusWords[status]} tone={statusTones[status]} />
          {remote_name && <span>{remote_name}</span>}
        </Group>
      }
    >
      {error && (
        <Alert
          icon={<IconAlertTriangle size={18} aria-hidden />}
          variant="default"
          mb="md"
          title="The last request to the accounting system failed"
        >
          {error}
        </Alert>
      )}
      {connector && (
        <>
          <SyncsPanel connection={connection} />
          <CheckPanel connection={connection} />
          <MappingsPanel connection={connection} connector={connector} />
          <SettingsPanel key={connection.revision} connection={connection} connector={connector} />
        </>
      )}
      <RecordHistory
        query={(limit) => historyQuery(connection.id, limit)}
        changesOf={(event) => <ConnectionChanges event={event} />}
      />
    </Page>
  )
}

function Actions({ connection, isOnline }: { connection: Connection; isOnline: boolean }) {
  const { isAdmin } = useMe()
  const signIn = useSignIn(connection)
  const [asking, setAsking] = useState<'disconnect' | 'delete' | null>(null)
  if (!isAdmin) return null
  const isConnected = connection.status === 'connected' || connection.status === 'error'
  return (
    <>
      {signIn.error ? <Failed error={signIn.error} /> : null}
      {isOnline && !isConnected && (
        <Button
          leftSection={<IconPlugConnected size={16} aria-hidden />}
          loading={signIn.isPending}
          onClick={() => signIn.mutate()}
        >
          Sign in
        </Button>
      )}
      {isOnline && isConnected && (
        <Button
          variant="default"
          leftSection={<IconPlugX size={16} aria-hidden />}
          onClick={() => setAsking('disconnect')}
        >
          Disconnect
        </Button>
      )}
      {connection.last_sync_at === null && (
        <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsking('delete')}>
          Delete
        </Button>
      )}
      {asking === 'disconnect' && <Disconnect connection={connection} close={() => setAsking(null)} />}
      {asking === 'delete' && <Delete connection={connection} close={() => setAsking(null)} />}
    </>
  )
}

function Disconnect({ connection, close }: { connection: Connection; close: () => void }) {
  return (
    <ConfirmDialog action="Disconnect" name={connection.name} close={close} change={useDisconnect(connection)}>
      Nothing is synced until somebody signs in again. Mappings stay, and so does what your records are there.
    </ConfirmDialog>
  )
}

function Delete({ connection, close }: { connection: Connection; close: () => void }) {
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      action="Delete"
      name={connection.name}
      close={close}
      change={useDeleteConnection(connection, () => navigate({ to: connectionsPath }))}
    >
      Its mappings are deleted with it. Nothing was synced through it yet.
    </ConfirmDialog>
  )
}
