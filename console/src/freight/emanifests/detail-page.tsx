import { Alert, Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { FieldChanges } from '../../app/history/field-changes.tsx'
import { RecordHistory } from '../../app/history/record-history.tsx'
import { IconAlertTriangle, IconChecks, IconPencil, IconRefresh, IconSend, IconX } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Page } from '../../app/parts/page.tsx'
import { RecordPage } from '../../app/parts/record-page.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { timeOf } from '../../app/values/dates.ts'
import { ContentPanels } from './content-panels.tsx'
import { FilingsPanel, StatusesPanel } from './filings-panel.tsx'
import { MissingAt } from './missing.tsx'
import {
  type Emanifest,
  emanifestQuery,
  historyQuery,
  missingQuery,
  useAmend,
  useCancel,
  useSubmit,
  useValidate,
} from './queries.ts'
import { emanifestsPath } from './routes.ts'
import { borderWords, stateTones, stateWords } from './words.ts'

const above = { label: 'E-manifests', to: emanifestsPath }

export function DetailPage() {
  const { emanifestId = '' } = useParams({ strict: false }) as { emanifestId?: string }
  return (
    <RecordPage title="E-manifest" above={above} query={emanifestQuery(emanifestId)}>
      {(emanifest) => <Known key={emanifestId} emanifest={emanifest as Emanifest} />}
    </RecordPage>
  )
}

const labels = {
  state: 'State',
  carrier_code: 'Carrier code',
  trip_number: 'Trip number',
  port: 'Port',
  crossing_at: 'Crosses',
  is_empty: 'Empty',
  amendment_number: 'Amendment',
}

function nameOf({ trip_number, manifest_number }: Emanifest): string {
  return trip_number ?? `E-manifest of ${manifest_number ?? 'a manifest'}`
}

function Known({ emanifest }: { emanifest: Emanifest }) {
  const { state, border, problems, accepted_at, purpose } = emanifest
  const isOpen = ['draft', 'validated', 'rejected'].includes(state)
  const { data: missing = [] } = useQuery({ ...missingQuery(emanifest), enabled: isOpen })
  const shown = isOpen ? missing : []
  return (
    <Page
      sticky
      title={nameOf(emanifest)}
      above={above}
      actions={<Actions emanifest={emanifest} />}
      lead={
        <Group component="span" gap="sm">
          <StateBadge words={stateWords[state]} tone={stateTones[state]} />
          <span>{borderWords[border]}</span>
          {state === 'submitted' && purpose === 'cancellation' && <span>Customs was asked to cancel it.</span>}
          {accepted_at && state !== 'accepted' && <span>Customs has an accepted version.</span>}
        </Group>
      }
    >
      {shown.length > 0 && (
        <Alert
          icon={<IconAlertTriangle size={18} aria-hidden />}
          variant="default"
          mb="md"
          title={shown.length === 1 ? 'Something is missing' : `${shown.length} things are missing`}
        >
          Each is marked at its place below. Customs takes the e-manifest when nothing is missing.
        </Alert>
      )}
      {problems.length > 0 && (
        <Alert
          icon={<IconAlertTriangle size={18} aria-hidden />}
          variant="default"
          mb="md"
          title="Customs found something wrong"
        >
          {problems.map(({ control_number, code, message }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal, and their order never changes
            <div key={index}>{[control_number, code, message].filter(Boolean).join(' · ')}</div>
          ))}
        </Alert>
      )}
      <FilingsPanel emanifest={emanifest} />
      <StatusesPanel emanifest={emanifest} />
      <MissingAt missing={shown}>
        <ContentPanels emanifest={emanifest} />
      </MissingAt>
      <RecordHistory
        query={(limit) => historyQuery(emanifest, limit)}
        changesOf={(event) => <FieldChanges event={event} labels={labels} show={shownValue} />}
      />
    </Page>
  )
}

function shownValue(value: unknown, field: string): string {
  if (value === null || value === undefined || value === '') return '(empty)'
  if (field === 'crossing_at') return timeOf(String(value))
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return stateWords[value as Emanifest['state']] ?? String(value)
}

function Actions({ emanifest }: { emanifest: Emanifest }) {
  const { id, state, filings, purpose } = emanifest
  const { may } = useMe()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'submit' | 'cancel' | null>(null)
  const validate = useValidate(emanifest)
  const submit = useSubmit(emanifest)
  const amend = useAmend(emanifest)
  if (!may('enter')) return null
  const isEditable = ['draft', 'validated', 'rejected'].includes(state)
  const hasFailed = state === 'submitted' && filings.some((filing) => filing.state === 'failed')
  const check = () =>
    validate.mutate(undefined, {
      onSuccess: ({ missing }) =>
        notifications.show({
          message:
            missing.length === 0
              ? 'Nothing is missing: it can be submitted.'
              : `${missing.length} missing. See the marked places.`,
        }),
    })
  const error = validate.error ?? submit.error ?? amend.error
  return (
    <>
      {error ? <Failed error={error} /> : null}
      {(state === 'draft' || state === 'rejected') && (
        <Button leftSection={<IconChecks size={16} aria-hidden />} loading={validate.isPending} onClick={check}>
          Validate
        </Button>
      )}
      {state === 'validated' && (
        <Button leftSection={<IconSend size={16} aria-hidden />} onClick={() => setAsking('submit')}>
          Submit
        </Button>
      )}
      {hasFailed && (
        <Button
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={submit.isPending}
          onClick={() => submit.mutate(undefined)}
        >
          Try again
        </Button>
      )}
      {isEditable && (
        <Button
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          renderRoot={(props) => <Link to={`${emanifestsPath}/${id}/edit`} {...props} />}
        >
          Edit
        </Button>
      )}
      {state === 'accepted' && (
        <Button
          leftSection={<IconPencil size={16} aria-hidden />}
          loading={amend.isPending}
          onClick={() =>
            amend.mutate(undefined, { onSuccess: () => void navigate({ to: `${emanifestsPath}/${id}/edit` }) })
          }
        >
          Amend
        </Button>
      )}
      {state !== 'cancelled' && !(state === 'submitted' && purpose === 'cancellation') && (
        <Button variant="default" leftSection={<IconX size={16} aria-hidden />} onClick={() => setAsking('cancel')}>
          Cancel e-manifest
        </Button>
      )}
      {asking === 'submit' && <Submit emanifest={emanifest} close={() => setAsking(null)} />}
      {asking === 'cancel' && <Cancel emanifest={emanifest} close={() => setAsking(null)} />}
    </>
  )
}

function Submit({ emanifest, close }: { emanifest: Emanifest; close: () => void }) {
  return (
    <ConfirmDialog
      action="Submit"
      name={nameOf(emanifest)}
      close={close}
      change={useSubmit(emanifest)}
      isDanger={false}
    >
      It is filed with customs. You see here when customs has accepted it, or what it found wrong.
    </ConfirmDialog>
  )
}

function Cancel({ emanifest, close }: { emanifest: Emanifest; close: () => void }) {
  const isFiled = emanifest.filings.some(({ state }) => !['rejected', 'failed'].includes(state))
  return (
    <ConfirmDialog action="Cancel e-manifest" name={nameOf(emanifest)} close={close} change={useCancel(emanifest)}>
      {isFiled
        ? 'Customs is asked to cancel it. It is cancelled when customs has accepted that.'
        : 'Customs has nothing of it, so it is cancelled at once.'}
    </ConfirmDialog>
  )
}
