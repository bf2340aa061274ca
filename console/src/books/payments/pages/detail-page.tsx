import { Button, Group, Modal, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useMoney } from '../../../app/api/currencies.ts'
import { useMe } from '../../../app/api/me.ts'
import { useIsReading } from '../../../app/api/use-is-reading.ts'
import { Refused } from '../../../app/editing/conflict.tsx'
import { DocumentsPanel } from '../../../app/files/documents-panel.tsx'
import {
  IconArrowBackUp,
  IconBan,
  IconChecks,
  IconPencil,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from '../../../app/icons/icons.ts'
import { MailsPanel } from '../../../app/mail/mails-panel.tsx'
import { PdfButton } from '../../../app/mail/pdf-button.tsx'
import { Fact } from '../../../app/parts/fact.tsx'
import { Page } from '../../../app/parts/page.tsx'
import { Panel } from '../../../app/parts/panel.tsx'
import { RecordPage } from '../../../app/parts/record-page.tsx'
import { StateBadge } from '../../../app/parts/state-badge.tsx'
import { When } from '../../../app/parts/when.tsx'
import { methodWords } from '../../documents/methods.ts'
import { History } from '../../documents/shown/history.tsx'
import { StatementLink } from '../../documents/shown/statement-number.tsx'
import { paymentFields } from '../fields.ts'
import { historyQuery, type Payment, type PaymentMove, paymentQuery, useMovePayment } from '../queries.ts'
import { paymentStatusWords, paymentTones } from '../states.ts'
import { AllocationsPanel } from './allocations-panel.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { PayerOrPayee } from './party.tsx'
import { RefundButton } from './refund-button.tsx'
import { PaymentLink, RefundsPanel } from './refunds-panel.tsx'
import { RunLink } from './run-link.tsx'
import { SendPayment } from './send-button.tsx'

const above = { label: 'Payments', to: '/payments' }
const nameOf = ({ number }: Payment) => number ?? 'Draft payment'

export function DetailPage() {
  const { paymentId = '' } = useParams({ strict: false }) as { paymentId?: string }
  return (
    <RecordPage title="Payment" above={above} query={paymentQuery(paymentId)}>
      {(payment) => <Known key={paymentId} payment={payment} />}
    </RecordPage>
  )
}

function Known({ payment }: { payment: Payment }) {
  const { id, status, direction, consolidated_bill_id, payment_run_id, refund_of_id } = payment
  return (
    <Page
      sticky
      title={nameOf(payment)}
      above={above}
      actions={
        <>
          <PdfButton
            pdf={{ path: `payments/${id}` }}
            name={nameOf(payment)}
            label={direction === 'out' ? 'Remittance advice' : 'Receipt'}
          />
          <SendPayment payment={payment} name={nameOf(payment)} />
          <RefundButton payment={payment} />
          <Actions payment={payment} />
        </>
      }
      lead={
        <Group component="span" gap="sm">
          <StateBadge words={paymentStatusWords[status]} tone={paymentTones[status]} />
          <span>
            {direction === 'out' ? 'Paid to' : 'Received from'} <PayerOrPayee payment={payment} isLink />
          </span>
          {consolidated_bill_id && (
            <span>
              For <StatementLink id={consolidated_bill_id} />
            </span>
          )}
          {refund_of_id && (
            <span>
              Pays back <PaymentLink id={refund_of_id} />
            </span>
          )}
          {payment_run_id && (
            <span>
              In <RunLink id={payment_run_id} />
            </span>
          )}
        </Group>
      }
    >
      <Facts payment={payment} />
      {refund_of_id === null && <AllocationsPanel payment={payment} />}
      {payment.refunded_amount > 0 && <RefundsPanel payment={payment} />}
      <DocumentsPanel record={{ type: 'payment', id }} />
      <Details payment={payment} />
      <MailsPanel type="payment" id={id} />
      <History fields={paymentFields} query={(limit) => historyQuery(id, limit)} />
    </Page>
  )
}

function Facts({ payment }: { payment: Payment }) {
  const money = useMoney()
  const {
    amount,
    unallocated_amount,
    currency_id,
    paid_at,
    method,
    reference_number,
    realized_gain_amount: gain,
    home_currency_id,
  } = payment
  return (
    <Panel>
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }}>
        <Fact label="Amount">
          <Text fw={650} size="lg" lh={1.2}>
            {money(amount, currency_id)}
          </Text>
        </Fact>
        <Fact label="Left to allocate">{money(unallocated_amount, currency_id)}</Fact>
        <Fact label="Paid on">
          <When at={paid_at} />
        </Fact>
        <Fact label="Method">{methodWords[method]}</Fact>
        <Fact label="Reference">{reference_number ?? '–'}</Fact>
        {gain !== null && (
          <Fact label={gain < 0 ? 'Exchange loss' : 'Exchange gain'}>{money(Math.abs(gain), home_currency_id)}</Fact>
        )}
      </SimpleGrid>
    </Panel>
  )
}

function Details({ payment }: { payment: Payment }) {
  const [editing, setEditing] = useState(false)
  const { notes, external_id, exchange_rate, missing_rate, available_actions, void_reason, status } = payment
  const facts = [
    ['Notes', notes],
    [
      'Exchange rate',
      missing_rate && available_actions.includes('reprice') ? 'None was known for its day' : exchange_rate,
    ],
    ['Voided because', void_reason],
    ['External id', external_id],
  ] as const
  const edit = (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPencil size={15} aria-hidden />}
      onClick={() => setEditing(true)}
    >
      Edit details
    </Button>
  )
  return (
    <Panel title="Details" {...(status !== 'voided' && { actions: edit })}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        {facts
          .filter(([label, value]) => value !== null || label === 'Notes')
          .map(([label, value]) => (
            <Fact key={label} label={label}>
              <span style={{ whiteSpace: 'pre-wrap' }}>{value ?? '–'}</span>
            </Fact>
          ))}
      </SimpleGrid>
      {editing && <EditDialog payment={payment} close={() => setEditing(false)} />}
    </Panel>
  )
}

const words = {
  issue: {
    label: 'Issue',
    icon: IconPlayerPlay,
    done: 'was issued.',
    text: 'The payment gets its number and settles what it is meant for.',
  },
  clear: {
    label: 'Mark as cleared',
    icon: IconChecks,
    done: 'was marked as cleared.',
    text: 'The bank has carried out the payment.',
  },
  reprice: {
    label: 'Update exchange rate',
    icon: IconRefresh,
    done: 'has the exchange rate of its day.',
    text: 'The payment takes the exchange rate that is known now for the day on which it was paid. Its gain or loss changes with it.',
  },
  return: {
    label: 'Returned by the bank',
    icon: IconArrowBackUp,
    done: 'was marked as returned.',
    text: 'The payment is voided, and its bills stand where they stood before: they can be paid again. What the carrier gave for early payment is taken back.',
  },
  void: {
    label: 'Void',
    icon: IconBan,
    done: 'was voided.',
    text: 'The payment keeps its number. What it settled is open again, and stands where it stood before. This cannot be undone.',
  },
  delete: {
    label: 'Delete',
    icon: IconTrash,
    done: 'was deleted.',
    text: 'The draft is deleted. This cannot be undone.',
  },
} as const satisfies Record<PaymentMove, object>

function Actions({ payment }: { payment: Payment }) {
  const [asking, setAsking] = useState<PaymentMove | null>(null)
  const { may } = useMe()
  const isReading = useIsReading()
  const possible = (Object.keys(words) as PaymentMove[]).filter(
    (move) => may('pay') && payment.available_actions.includes(move),
  )
  return (
    <>
      {possible.map((move) => {
        const { label, icon: Icon } = words[move]
        return (
          <Button
            key={move}
            variant={move === 'issue' ? 'filled' : 'default'}
            leftSection={<Icon size={16} aria-hidden />}
            disabled={isReading}
            onClick={() => setAsking(move)}
          >
            {label}
          </Button>
        )
      })}
      {asking && <MoveDialog key={asking} move={asking} payment={payment} close={() => setAsking(null)} />}
    </>
  )
}

function MoveDialog({ move, payment, close }: { move: PaymentMove; payment: Payment; close: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const run = useMovePayment(payment, () => navigate({ to: '/payments' }))
  const [reason, setReason] = useState('')
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState<string | null>(null)
  const { label, text, done } = words[move]
  const needsReason = move === 'void' || move === 'return'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = needsReason && !reason.trim() ? 'Enter a reason. The history will show it.' : null
    setMissing(wrong)
    if (wrong) return
    run.mutate(
      { move, reason: reason.trim(), code: code.trim() },
      {
        onSuccess: () => {
          close()
          notifications.show({ message: `${nameOf(payment)} ${done}` })
        },
      },
    )
  }
  const load = async () => {
    await queryClient.fetchQuery({ ...paymentQuery(payment.id), staleTime: 0 })
    run.reset()
  }
  return (
    <Modal
      opened
      onClose={close}
      title={move === 'return' ? `${nameOf(payment)} came back` : `${label} ${nameOf(payment)}`}
    >
      <form onSubmit={submit} noValidate>
        <Text size="sm" mb="md">
          {text}
        </Text>
        {move === 'return' && (
          <TextInput
            label="Code of the bank"
            description="Such as R03."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            mb="sm"
            maxLength={20}
            autoComplete="off"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        {needsReason && (
          <Textarea
            label="Reason"
            required
            maxLength={move === 'return' ? 900 : 1000}
            autosize
            minRows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={missing}
            data-autofocus
          />
        )}
        <Refused error={run.error} what="payment" load={() => void load()} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={run.isPending}
            {...(needsReason || move === 'delete' ? { color: 'red.9' } : { 'data-autofocus': true })}
          >
            {label}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
