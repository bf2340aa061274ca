import { Button, SimpleGrid, Tabs, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { wordsFor } from '../../app/api/problem.ts'
import type { Version } from '../../app/editing/use-editing.ts'
import { FieldChanges } from '../../app/history/field-changes.tsx'
import { RecordHistory } from '../../app/history/record-history.tsx'
import {
  IconHistory,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '../../app/icons/icons.ts'
import { Fact } from '../../app/parts/fact.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { RecordPage } from '../../app/parts/record-page.tsx'
import { Moment } from '../../app/parts/when.tsx'
import { webhooksPath } from '../paths.ts'
import { Deliveries } from './deliveries.tsx'
import { DeleteDialog, DisableDialog, EnableDialog, RotateDialog } from './dialogs.tsx'
import { type Content, historyQuery, useSendTest, useUpdateWebhook, type Webhook, webhookQuery } from './queries.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { WebhookSecret } from './secret.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { Health, nameOf } from './words.tsx'

const labels = { url: 'Address', description: 'Description', event_types: 'Events', enabled: 'Enabled' }
const above = { label: 'Webhooks', to: webhooksPath }

export function DetailPage() {
  const { webhookId = '' } = useParams({ strict: false })
  return (
    <RecordPage title="Webhook" above={above} query={webhookQuery(webhookId)}>
      {(webhook) => <Known key={webhookId} webhook={webhook} />}
    </RecordPage>
  )
}

function Known({ webhook }: { webhook: Webhook }) {
  const { isAdmin } = useMe()
  return (
    <Page
      title={nameOf(webhook)}
      above={above}
      lead={webhook.description ? webhook.url : undefined}
      actions={isAdmin && <Actions webhook={webhook} />}
    >
      <Facts webhook={webhook} />
      {isAdmin ? (
        <Tabs defaultValue="deliveries" keepMounted={false}>
          <Tabs.List mb="lg">
            <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>
            <Tabs.Tab value="settings">Settings</Tabs.Tab>
            <Tabs.Tab value="history">History</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="deliveries">
            <Deliveries webhook={webhook} />
          </Tabs.Panel>
          <Tabs.Panel value="settings">
            <Settings webhook={webhook} />
          </Tabs.Panel>
          <Tabs.Panel value="history">
            <RecordHistory
              query={(limit) => historyQuery(webhook.id, limit)}
              changesOf={(event) => <FieldChanges event={event} labels={labels} />}
            />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Deliveries webhook={webhook} />
      )}
    </Page>
  )
}

function Facts({ webhook }: { webhook: Webhook }) {
  const {
    enabled,
    disabled_at,
    disabled_reason,
    event_types,
    failing_since,
    last_success_at,
    last_failure_at,
    last_error,
    waiting_count,
  } = webhook
  return (
    <Panel>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        <Fact label="State">
          <Health webhook={webhook} />
          {!enabled && (
            <Text size="sm">
              Since <Moment at={disabled_at} />. {disabled_reason}
            </Text>
          )}
          {enabled && failing_since && (
            <Text size="sm">
              Since <Moment at={failing_since} />. After three days of failures it is disabled.
            </Text>
          )}
        </Fact>
        <Fact label="Last delivered">
          <Moment at={last_success_at} never="Never" />
          <Text size="xs" c="dimmed">
            {waiting_count === 0 ? 'Nothing is waiting.' : `${waiting_count.toLocaleString()} waiting to be sent`}
          </Text>
        </Fact>
        <Fact label="Last failure">
          <Moment at={last_failure_at} never="None" />
          {last_error && <Text size="sm">{last_error}</Text>}
        </Fact>
        <Fact label="Events">{event_types.includes('*') ? 'All' : event_types.join(', ')}</Fact>
      </SimpleGrid>
    </Panel>
  )
}

type Dialog = 'rotate' | 'replay' | 'disable' | 'enable' | 'delete'

function Actions({ webhook }: { webhook: Webhook }) {
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <TestButton webhook={webhook} />
      <Button variant="default" leftSection={<IconHistory size={16} aria-hidden />} onClick={() => setDialog('replay')}>
        Replay
      </Button>
      <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setDialog('rotate')}>
        Rotate secret
      </Button>
      {webhook.enabled ? (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={16} aria-hidden />}
          onClick={() => setDialog('disable')}
        >
          Disable
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => setDialog('enable')}
        >
          Enable
        </Button>
      )}
      <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setDialog('delete')}>
        Delete
      </Button>
      {dialog === 'replay' && <ReplayDialog webhook={webhook} close={close} />}
      {dialog === 'rotate' && (
        <RotateDialog
          webhook={webhook}
          close={close}
          done={(next) => {
            close()
            setSecret(next)
          }}
        />
      )}
      {dialog === 'disable' && <DisableDialog webhook={webhook} close={close} />}
      {dialog === 'enable' && <EnableDialog webhook={webhook} close={close} />}
      {dialog === 'delete' && <DeleteDialog webhook={webhook} close={close} />}
      {secret && <WebhookSecret secret={secret} done={() => setSecret(null)} />}
    </>
  )
}

/** Sends a test event, and shows what comes of it. */
function TestButton({ webhook }: { webhook: Webhook }) {
  const send = useSendTest(webhook)
  const navigate = useNavigate()
  const test = () =>
    send.mutate(undefined, {
      onSuccess: ({ id }) => void navigate({ to: `${webhooksPath}/${webhook.id}/deliveries/${id}` }),
      onError: (error) =>
        void notifications.show({ title: 'Could not send a test event', message: wordsFor(error), color: 'red.9' }),
    })
  return (
    <Button leftSection={<IconSend size={16} aria-hidden />} loading={send.isPending} onClick={test}>
      Send test event
    </Button>
  )
}

function Settings({ webhook }: { webhook: Webhook }) {
  const queryClient = useQueryClient()
  const update = useUpdateWebhook(webhook.id)
  return (
    <WebhookForm
      start={versionOf(webhook)}
      submitLabel="Save changes"
      load={async () => versionOf(await queryClient.fetchQuery({ ...webhookQuery(webhook.id), staleTime: 0 }))}
      save={async (changes, revision) => versionOf(await update.mutateAsync({ changes, revision }))}
    />
  )
}

function versionOf({ revision, url, description, event_types }: Webhook): Version<Content> {
  return { revision, values: { url, description: description ?? '', event_types } }
}
