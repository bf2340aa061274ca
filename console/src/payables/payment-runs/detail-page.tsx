import { Button, Group, SimpleGrid, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoney } from '../../app/api/currencies.ts'
import { useMe } from '../../app/api/me.ts'
import { useIsReading } from '../../app/api/use-is-reading.ts'
import { FieldChanges } from '../../app/history/field-changes.tsx'
import { type RecordedEvent, RecordHistory } from '../../app/history/record-history.tsx'
import { IconCheck, IconMail, IconPlayerPlay, IconTrash } from '../../app/icons/icons.ts'
import { Fact } from '../../app/parts/fact.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { RecordPage } from '../../app/parts/record-page.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { Day, When } from '../../app/parts/when.tsx'
import { type Column, DataTable } from '../../app/table/data-table.tsx'
import { PartyLink } from '../../books/documents/shown/parties.tsx'
import { runQuery } from '../../books/payments/run.ts'
import { useSecondPerson } from '../../settings/people/second-person.ts'
import { AdvicesPanel } from './advices-panel.tsx'
import { FilesPanel } from './files-panel.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { PaymentsOfRun } from './payments-of-run.tsx'
import { historyQuery, type PaymentRun, type RunMove, useMoveRun } from './queries.ts'
import { runsPath } from './routes.ts'
import { leftOutWords, runStatusWords, runTones } from './states.ts'

const above = { label: 'Payment runs', to: runsPath }

export function DetailPage() {
  const { runId = '' } = useParams({ strict: false }) as { runId?: string }
  return (
    <RecordPage title="Payment run" above={above} query={runQuery(runId)}>
      {(run) => <Known key={runId} run={run} />}
    </RecordPage>
  )
}

function Known({ run }: { run: PaymentRun }) {
  const { number, status, due_until } = run
  return (
    <Page
      sticky
      title={number}
      above={above}
      actions={<Actions run={run} />}
      lead={
        <Group component="span" gap="sm">
          <StateBadge words={runStatusWords[status]} tone={runTones[status]} />
          <span>
            Bills due until <Day at={due_until} />
          </span>
          <NextStep run={run} />
        </Group>
      }
    >
      <Facts run={run} />
      <LeftOut run={run} />
      {status === 'issued' && <FilesPanel run={run} />}
      <PaymentsOfRun run={run} />
      {status === 'issued' && <AdvicesPanel run={run} />}
      <RecordHistory
        query={(limit) => historyQuery(run.id, limit)}
        changesOf={(event) => <Changes event={event} currency={run.currency_id} />}
      />
    </Page>
  )
}

/** What has to happen next, and who may do it. */
function NextStep({ run }: { run: PaymentRun }) {
  const { canApprove, why } = useSecondPerson(run.created_by)
  const { may } = useMe()
  if (run.status === 'draft')
    return <span>{canApprove ? 'Waits for your approval' : `Waits for approval. ${why ?? ''}`}</span>
  if (run.status === 'approved')
    return <span>{may('pay') ? 'Can be issued' : 'Somebody who may pay has to issue it'}</span>
  return run.returned_count > 0 ? (
    <span>{run.returned_count === 1 ? 'One payment came back' : `${run.returned_count} payments came back`}</span>
  ) : null
}

function Facts({ run }: { run: PaymentRun }) {
  const money = useMoney()
  const {
    total_amount,
    discount_amount,
    set_off_amount,
    currency_id,
    payment_count,
    bill_count,
    pay_on,
    approved_at,
    issued_at,
    by_the_only_user,
  } = run
  return (
    <Panel>
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }}>
        <Fact label="Total">
          <Text fw={650} size="lg" lh={1.2}>
            {money(total_amount, currency_id)}
          </Text>
        </Fact>
        <Fact label="Payments">{payment_count.toLocaleString()}</Fact>
        <Fact label="Bills">{bill_count.toLocaleString()}</Fact>
        {discount_amount > 0 && <Fact label="Taken off for early payment">{money(discount_amount, currency_id)}</Fact>}
        {set_off_amount > 0 && <Fact label="Set off">{money(set_off_amount, currency_id)}</Fact>}
        <Fact label="Pay on">
          <Day at={pay_on} />
        </Fact>
        {approved_at && (
          <Fact label={by_the_only_user ? 'Approved by the only user' : 'Approved'}>
            <When at={approved_at} />
          </Fact>
        )}
        {issued_at && (
          <Fact label="Issued">
            <When at={issued_at} />
          </Fact>
        )}
      </SimpleGrid>
    </Panel>
  )
}

const leftOutColumns: Column<PaymentRun['left_out'][number]>[] = [
  { label: 'Carrier', show: ({ partner_carrier_id }) => <PartyLink party="carrier" id={partner_carrier_id} /> },
  { label: 'Why', show: ({ reason }) => leftOutWords[reason] ?? reason },
  { label: 'Bills', end: true, show: ({ bill_count }) => bill_count.toLocaleString() },
]

function LeftOut({ run: { left_out, has_more, status } }: { run: PaymentRun }) {
  if (status === 'issued' || (left_out.length === 0 && !has_more)) return null
  return (
    <Panel
      title="Not in this run"
      lead={
        has_more
          ? 'More is due than a run has room for: make another after this one.'
          : 'Bills of these carriers are due too.'
      }
    >
      {left_out.length > 0 && (
        <DataTable
          label="Not in this run"
          columns={leftOutColumns}
          rows={left_out}
          keyOf={({ partner_carrier_id, reason }) => `${partner_carrier_id} ${reason}`}
        />
      )}
    </Panel>
  )
}

const words = {
  approve: { label: 'Approve', icon: IconCheck, done: 'was approved.' },
  issue: { label: 'Issue', icon: IconPlayerPlay, done: 'was issued.' },
  send: { label: 'Mail the advices', icon: IconMail, done: ': the advices are being mailed.' },
  delete: { label: 'Delete', icon: IconTrash, done: 'was deleted.' },
} as const satisfies Record<RunMove, object>

function Actions({ run }: { run: PaymentRun }) {
  const [asking, setAsking] = useState<RunMove | null>(null)
  const { may } = useMe()
  const { canApprove } = useSecondPerson(run.created_by)
  const isReading = useIsReading()
  const can: Record<RunMove, boolean> = {
    approve: run.available_actions.includes('approve') && run.payment_count > 0 && canApprove,
    issue: run.available_actions.includes('issue') && may('pay'),
    send: run.status === 'issued' && may('pay'),
    delete: run.available_actions.includes('delete') && may('pay'),
  }
  return (
    <>
      {(Object.keys(words) as RunMove[])
        .filter((move) => can[move])
        .map((move) => {
          const { label, icon: Icon } = words[move]
          return (
            <Button
              key={move}
              variant={move === 'approve' || move === 'issue' ? 'filled' : 'default'}
              leftSection={<Icon size={16} aria-hidden />}
              disabled={isReading}
              onClick={() => setAsking(move)}
            >
              {label}
            </Button>
          )
        })}
      {asking && <Move key={asking} run={run} move={asking} close={() => setAsking(null)} />}
    </>
  )
}

function Move({ run, move, close }: { run: PaymentRun; move: RunMove; close: () => void }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const change = useMoveRun(run, move, () => navigate({ to: runsPath }))
  const { label, done } = words[move]
  const succeed = () => {
    notifications.show({ message: `${run.number}${done.startsWith(':') ? '' : ' '}${done}` })
    close()
  }
  const load = async () => {
    await queryClient.fetchQuery({ ...runQuery(run.id), staleTime: 0 })
    change.reset()
  }
  return (
    <MoveDialog
      title={move === 'send' ? `Mail the advices of ${run.number}` : `${label} ${run.number}`}
      label={label}
      isDanger={move === 'delete'}
      error={change.error}
      isPending={change.isPending}
      load={() => void load()}
      confirm={() => change.mutate(undefined, { onSuccess: succeed })}
      close={close}
    >
      <What run={run} move={move} />
    </MoveDialog>
  )
}

/** What follows, with the sum. */
function What({ run, move }: { run: PaymentRun; move: RunMove }) {
  const money = useMoney()
  const { payment_count, bill_count, total_amount, currency_id, pay_on } = run
  const sum = <b>{money(total_amount, currency_id)}</b>
  const payments = `${payment_count.toLocaleString()} ${payment_count === 1 ? 'payment' : 'payments'}`
  const bills = `${bill_count.toLocaleString()} ${bill_count === 1 ? 'bill' : 'bills'}`
  if (move === 'approve')
    return (
      <>
        {payments} for {bills}, together {sum}, to be paid on <Day at={pay_on} />. It can be issued then. A change of it
        asks for approval again.
      </>
    )
  if (move === 'issue')
    return (
      <>
        Pays {sum} by {payments} and settles {bills}, all or nothing. Afterwards send the files to the bank. This cannot
        be undone; a payment that comes back can be marked as returned.
      </>
    )
  if (move === 'delete') return <>Its drafts are deleted. Nothing was paid, and its bills can be chosen again.</>
  return <>Each payee with an e-mail address gets the advice of every payment to it, as a PDF file.</>
}

const labels = { status: 'State', bill_count: 'Bills', total_amount: 'Total' }

function Changes({ event, currency }: { event: RecordedEvent; currency: string }) {
  const money = useMoney()
  const { returned } = event.data as { returned?: { code: string | null; reason: string } }
  if (returned) return <Text size="sm">“{[returned.code, returned.reason].filter(Boolean).join(': ')}”</Text>
  const show = (value: unknown, field: string) =>
    field === 'total_amount'
      ? money(Number(value), currency)
      : field === 'status'
        ? (runStatusWords[value as keyof typeof runStatusWords] ?? String(value))
        : String(value)
  return <FieldChanges event={event} labels={labels} show={show} />
}
