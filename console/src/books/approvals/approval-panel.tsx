import { Button, Group, List, Modal, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIsReading } from '../../app/api/use-is-reading.ts'
import { Refused } from '../../app/editing/conflict.tsx'
import { IconCheck, IconX } from '../../app/icons/icons.ts'
import { Panel } from '../../app/parts/panel.tsx'
import { StateBadge, type Tone } from '../../app/parts/state-badge.tsx'
import { When } from '../../app/parts/when.tsx'
import { roleWords } from '../../settings/people/roles.ts'
import { type ApprovalStatus, approvalWords } from '../bills/approval-words.ts'
import type { Bill } from '../bills/bill.ts'
import { approvalsQuery, useDecide } from './queries.ts'

const tones: Record<ApprovalStatus, Tone> = {
  not_needed: 'quiet',
  pending: 'attention',
  approved: 'done',
  rejected: 'stopped',
}

/** How the approval of a bill stands, what it still needs, and the buttons of who may decide. Nothing where no approval is needed and none was given. */
export function ApprovalPanel({ bill }: { bill: Bill }) {
  const isAsked = bill.approval_status !== 'not_needed' && bill.status_id !== 'draft'
  const { data } = useQuery({ ...approvalsQuery(bill), enabled: isAsked })
  const [asking, setAsking] = useState<'approve' | 'reject' | null>(null)
  const isReading = useIsReading()
  if (!isAsked) return null
  const open = bill.approval_status === 'pending' || bill.approval_status === 'rejected'
  const buttons = data?.can_decide && open && (
    <>
      <Button
        size="xs"
        disabled={isReading}
        leftSection={<IconCheck size={15} aria-hidden />}
        onClick={() => setAsking('approve')}
      >
        Approve
      </Button>
      {bill.approval_status === 'pending' && (
        <Button
          size="xs"
          variant="default"
          disabled={isReading}
          leftSection={<IconX size={15} aria-hidden />}
          onClick={() => setAsking('reject')}
        >
          Reject
        </Button>
      )}
    </>
  )
  return (
    <Panel title="Approval" actions={buttons}>
      <Group gap="sm">
        <StateBadge words={approvalWords[bill.approval_status]} tone={tones[bill.approval_status]} />
        {open && data?.cannot_because && (
          <Text size="sm" c="dimmed">
            {data.cannot_because}
          </Text>
        )}
      </Group>
      {open && data && (
        <List size="sm" mt="xs">
          {data.needs.map(({ rule_id, name, approver_names, approver_role, needed_approvals, given_approvals }) => (
            <List.Item key={rule_id ?? 'any'}>
              {name ?? 'Approval'}: {given_approvals} of {needed_approvals} given, by{' '}
              {approver_names?.join(', ') ??
                (approver_role ? roleWords[approver_role as keyof typeof roleWords].one : 'anyone who may approve')}
            </List.Item>
          ))}
        </List>
      )}
      {data?.decisions.map(({ id, decision, user_name, on_behalf_of_name, note, created_at, ended_at }) => (
        <Text key={id} size="sm" mt="xs" {...(ended_at && { c: 'dimmed' })}>
          {decision === 'approve' ? 'Approved' : 'Rejected'} by {user_name ?? 'an application'}
          {on_behalf_of_name && ` for ${on_behalf_of_name}`} <When at={created_at} />
          {note && `: ${note}`}
          {ended_at && ' (the bill has changed since, or it was decided again)'}
        </Text>
      ))}
      {asking && <DecisionDialog bill={bill} decision={asking} close={() => setAsking(null)} />}
    </Panel>
  )
}

function DecisionDialog({ bill, decision, close }: { bill: Bill; decision: 'approve' | 'reject'; close: () => void }) {
  const queryClient = useQueryClient()
  const run = useDecide(bill)
  const [text, setText] = useState('')
  const [missing, setMissing] = useState<string | null>(null)
  const isRejection = decision === 'reject'
  const label = isRejection ? 'Reject' : 'Approve'
  const name = bill.number ?? 'the bill'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = isRejection && !text.trim() ? 'Enter a reason. The history will show it.' : null
    setMissing(wrong)
    if (wrong) return
    run.mutate(
      { decision, text: text.trim() },
      {
        onSuccess: () => {
          notifications.show({ message: `${name} was ${isRejection ? 'rejected' : 'approved'}.` })
          close()
        },
      },
    )
  }
  return (
    <Modal opened onClose={close} title={`${label} ${name}`}>
      <form onSubmit={submit} noValidate>
        <Text size="sm" mb="md">
          {isRejection
            ? 'It cannot be paid until it is corrected or approved after all.'
            : 'It can be paid once all approvals are given. A change of it asks again.'}
        </Text>
        <Textarea
          label={isRejection ? 'Reason' : 'Note'}
          required={isRejection}
          autosize
          minRows={2}
          maxLength={1000}
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={missing}
        />
        {run.error ? (
          <Refused
            error={run.error}
            what="bill"
            load={() => void queryClient.invalidateQueries({ queryKey: ['bills'] })}
          />
        ) : null}
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
