import { Button, SimpleGrid, Tabs, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Copyable } from '../../../app/copying/copyable.tsx'
import type { Version } from '../../../app/editing/use-editing.ts'
import { FieldChanges } from '../../../app/history/field-changes.tsx'
import { RecordHistory } from '../../../app/history/record-history.tsx'
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash } from '../../../app/icons/icons.ts'
import { ForAdmins } from '../../../app/parts/admins-only.tsx'
import { Fact } from '../../../app/parts/fact.tsx'
import { Page } from '../../../app/parts/page.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { RecordPage } from '../../../app/parts/record-page.tsx'
import { StateBadge } from '../../../app/parts/state-badge.tsx'
import { When } from '../../../app/parts/when.tsx'
import type { Application, Content } from '../application.ts'
import { ApplicationForm } from '../form/application-form.tsx'
import { applicationQuery, historyQuery, useUpdateApplication } from '../queries.ts'
import { typeWords } from '../words.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { SecretOnce } from './secret-once.tsx'
import { DisableDialog, EnableDialog } from './switch-dialog.tsx'
import { TryIt } from './try-it.tsx'

const labels = {
  name: 'Name',
  redirect_uris: 'Redirect addresses',
  scopes: 'Scopes',
  grant_types: 'Flows',
  require_pkce: 'PKCE required',
  access: 'Access',
}
const above = { label: 'OAuth applications', to: '/settings/api/oauth-applications' }

export function DetailPage() {
  return (
    <ForAdmins>
      <Detail />
    </ForAdmins>
  )
}

function Detail() {
  const { applicationId = '' } = useParams({ strict: false })
  return (
    <RecordPage title="Application" above={above} query={applicationQuery(applicationId)}>
      {(application) => <Known key={applicationId} application={application} />}
    </RecordPage>
  )
}

function Known({ application }: { application: Application }) {
  const { name, type, client_id, last_used_at, created_at, updated_at, disabled_at } = application
  const [secret, setSecret] = useState<string | null>(null)
  const [rotating, rotate] = useDisclosure(false)
  const [switching, setSwitching] = useState<'disable' | 'enable' | null>(null)
  const [deleting, remove] = useDisclosure(false)
  return (
    <Page
      title={name}
      above={above}
      lead={disabled_at && <Disabled since={disabled_at} />}
      actions={
        <>
          {type === 'confidential' && (
            <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={rotate.open}>
              Rotate secret
            </Button>
          )}
          {disabled_at ? (
            <Button
              variant="default"
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              onClick={() => setSwitching('enable')}
            >
              Enable
            </Button>
          ) : (
            <Button
              variant="default"
              leftSection={<IconPlayerPause size={16} aria-hidden />}
              onClick={() => setSwitching('disable')}
            >
              Disable
            </Button>
          )}
          <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove.open}>
            Delete
          </Button>
        </>
      }
    >
      <Panel>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <Fact label="Client id">
            <Copyable text={client_id} label="the client id" />
          </Fact>
          <Fact label="Type">{typeWords[type].name}</Fact>
          <Fact label="Last used">
            <When at={last_used_at} never="Never" />
          </Fact>
          <Fact label="Created">
            <When at={created_at} />
            {updated_at !== created_at && (
              <Text size="xs" c="dimmed">
                Changed <When at={updated_at} />
              </Text>
            )}
          </Fact>
        </SimpleGrid>
      </Panel>
      <Tabs defaultValue="settings" keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="try">Try it</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings">
          <Settings application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <TryIt application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <RecordHistory
            query={(limit) => historyQuery(application.id, limit)}
            changesOf={(event) => <FieldChanges event={event} labels={labels} />}
          />
        </Tabs.Panel>
      </Tabs>
      {rotating && (
        <RotateDialog
          application={application}
          close={rotate.close}
          done={(next) => {
            rotate.close()
            setSecret(next)
          }}
        />
      )}
      {switching === 'disable' && <DisableDialog application={application} close={() => setSwitching(null)} />}
      {switching === 'enable' && <EnableDialog application={application} close={() => setSwitching(null)} />}
      {deleting && <DeleteDialog application={application} close={remove.close} />}
      {secret && <SecretOnce secret={{ client_id, client_secret: secret }} done={() => setSecret(null)} />}
    </Page>
  )
}

function Disabled({ since }: { since: string }) {
  return (
    <>
      <StateBadge words="Disabled" tone="stopped" /> Since <When at={since} />. It gets no tokens until you enable it.
    </>
  )
}

function Settings({ application }: { application: Application }) {
  const queryClient = useQueryClient()
  const update = useUpdateApplication(application.id)
  return (
    <ApplicationForm
      start={versionOf(application)}
      typeIsFixed
      submitLabel="Save changes"
      load={async () => versionOf(await queryClient.fetchQuery({ ...applicationQuery(application.id), staleTime: 0 }))}
      save={async (changes, revision) => {
        const saved = await update.mutateAsync({ changes, revision })
        notifications.show({ message: 'Changes saved.' })
        return versionOf(saved)
      }}
    />
  )
}

function versionOf({
  revision,
  name,
  type,
  redirect_uris,
  scopes,
  grant_types,
  require_pkce,
  access,
}: Application): Version<Content> {
  return { revision, values: { name, type, redirect_uris, scopes, grant_types, require_pkce, access } }
}
