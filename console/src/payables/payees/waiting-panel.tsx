import { Alert, Button, Group, Modal, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { useIsReading } from '../../app/api/use-is-reading.ts'
import { Refused } from '../../app/editing/conflict.tsx'
import { ActorName } from '../../app/history/actor-name.tsx'
import { ChangeList } from '../../app/history/entries.tsx'
import { IconCheck, IconHourglass, IconX } from '../../app/icons/icons.ts'
import { LoadingText } from '../../app/parts/loading-text.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { When } from '../../app/parts/when.tsx'
import { useSecondPerson } from '../../settings/people/second-person.ts'
import { type Decision, historyQuery, type Payee, useDecideChange, type WaitingChange } from './queries.ts'
import { changesOf, labels, shownValue } from './words.tsx'

/** The change that waits: what it replaces by what, who asked, and the buttons of who may decide. */
export function WaitingPanel({ payee, change }: { payee: Payee; change: WaitingChange }) {
  const [asking, setAsking] = useState<Decision | null>(null)
  const { may } = useMe()
  const { canApprove, isOwn, why } = useSecondPerson(change.requested_by)
  const isReading = useIsReading()
  const isNew = payee.status === 'waiting'
  const fields = Object.keys(labels).filter((field) => field in change.fields)
  const asked = change.fields as Record<string, unknown>
  const changes = isNew
    ? fields.map((field) => ({ key: field, label: labels[field] as string, text: shownValue(asked[field], field) }))
    : changesOf(payee, asked, fields)
  const buttons = (
    <>
      {canApprove && (
        <Button
          size="xs"
          disabled={isReading}
          leftSection={<IconCheck size={15} aria-hidden />}
          onClick={() => setAsking('approve')}
        >
          Approve
        </Button>
      )}
      {may('approve') && (
        <Button
          size="xs"
          variant="default"
          disabled={isReading}
          leftSection={<IconX size={15} aria-hidden />}
          onClick={() => setAsking('reject')}
        >
          {isOwn ? 'Take back' : 'Reject'}
        </Button>
      )}
    </>
  )
  return (
    <Panel
      title={isNew ? 'This payee waits for a second person' : 'A change waits for a second person'}
      lead={
        <>
          Asked for by <WhoAsked payee={payee} change={change} /> on <When at={change.requested_at} />. Payments to this
          payee wait until it is decided. Check it with the carrier by a number that you know, not by one from the
          message that asked for it.
        </>
      }
      actions={buttons}
    >
      <ChangeList changes={changes} />
      {why && (
        <Alert variant="default" icon={<IconHourglass aria-hidden />} mt="md" p="sm">
          {why}
        </Alert>
      )}
      {asking && (
        <DecisionDialog payee={payee} change={change} decision={asking} isOwn={isOwn} close={() => setAsking(null)} />
      )}
    </Panel>
  )
}

/** The name comes from the history, which everybody may read. */
function WhoAsked({ payee, change }: { payee: Payee; change: WaitingChange }) {
  const { data, isFetching } = useQuery(historyQuery(payee.id, 20))
  const event = data?.events.find(({ type }) => type === 'payee.change_requested')
  const isOfIt = (event?.data as { waiting_change?: { id: string } } | undefined)?.waiting_change?.id === change.id
  return event && isOfIt ? (
    <ActorName actor={event.actor} name={event.actor_name} />
  ) : isFetching ? (
    <LoadingText />
  ) : (
    'somebody'
  )
}

type DecisionDialogProps = {
  payee: Payee
  change: WaitingChange
  decision: Decision
  isOwn: boolean
  close: () => void
}

function DecisionDialog({ payee, change, decision, isOwn, close }: DecisionDialogProps) {
  const queryClient = useQueryClient()
  const run = useDecideChange(payee, change.id)
  const [note, setNote] = useState('')
  const isRejection = decision === 'reject'
  const label = isRejection ? (isOwn ? 'Take back' : 'Reject') : 'Approve'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const onSuccess = () => {
      notifications.show({
        message: `The change of ${payee.name} was ${isRejection ? (isOwn ? 'taken back' : 'rejected') : 'approved'}.`,
      })
      close()
    }
    run.mutate({ decision, note: note.trim() }, { onSuccess })
  }
  return (
    <Modal opened onClose={close} title={`${label}: ${payee.name}`}>
      <form onSubmit={submit} noValidate>
        <Text size="sm" mb="md">
          {isRejection
            ? 'Everything stays as it was, and payments go on.'
            : 'Money goes there from now on, also that of draft payments in payment runs.'}
        </Text>
        <Textarea
          label="Note"
          description={isRejection ? 'Why. The history shows it.' : 'How you checked it. The history shows it.'}
          autosize
          minRows={2}
          maxLength={1000}
          data-autofocus
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Refused
          error={run.error}
          what="payee"
          load={() => void queryClient.invalidateQueries({ queryKey: ['payees'] }).then(run.reset)}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={run.isPending} {...(isRejection && { color: 'red.9' })}>
            {label}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
