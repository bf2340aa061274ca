import { Button, Group, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useMoney } from '../../app/api/currencies.ts'
import { useMe } from '../../app/api/me.ts'
import { IconX } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { Day, When } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { NumberLink } from '../../books/documents/shown/shown.tsx'
import { runQuery } from '../../books/payments/run.ts'
import { type PaymentStatus, paymentStatusWords, paymentTones } from '../../books/payments/states.ts'
import { nameQuery } from '../../records/kinds/names.ts'
import { PayeeLink } from '../payees/links.tsx'
import { destinationOf } from '../payees/words.tsx'
import { MoveDialog } from './move-dialog.tsx'
import {
  type PaymentRun,
  type RunBill,
  type RunPayment,
  runPaymentsQuery,
  type SetOff,
  useTakeOut,
  useTakeOutSetOff,
} from './queries.ts'

const step = 20

/** The payments of a run, each with where it goes and the bills that it pays. */
export function PaymentsOfRun({ run }: { run: PaymentRun }) {
  const [limit, setLimit] = useState(step)
  const [takingOut, setTakingOut] = useState<RunBill | null>(null)
  const [setOff, setSetOff] = useState<SetOff | null>(null)
  const { data, error, refetch, isFetching } = useQuery(runPaymentsQuery(run.id, limit))
  if (error) return <Failed error={error} what="the payments" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  const { payments, total } = data
  return (
    <>
      <Title order={2} fz="md" mb="sm">
        Payments
      </Title>
      {payments.length === 0 && (
        <Panel>
          <Text size="sm" c="dimmed">
            Every bill was taken out of this run. Delete it.
          </Text>
        </Panel>
      )}
      {payments.map((payment) => (
        <PaymentPanel
          key={payment.payment_id}
          run={run}
          payment={payment}
          takeOut={setTakingOut}
          takeOutSetOff={setSetOff}
        />
      ))}
      {payments.length < total && (
        <Button
          mb="md"
          size="xs"
          variant="default"
          loading={isFetching}
          onClick={() => setLimit(Math.min(limit + step, 200))}
          disabled={limit >= 200}
        >
          Show more payments
        </Button>
      )}
      {takingOut && <TakeOut key={takingOut.bill_id} run={run} bill={takingOut} close={() => setTakingOut(null)} />}
      {setOff && <TakeOutSetOff key={setOff.id} run={run} setOff={setOff} close={() => setSetOff(null)} />}
    </>
  )
}

type PaymentPanelProps = {
  run: PaymentRun
  payment: RunPayment
  takeOut: (bill: RunBill) => void
  takeOutSetOff: (setOff: SetOff) => void
}

function PaymentPanel({ run, payment, takeOut, takeOutSetOff }: PaymentPanelProps) {
  const money = useMoney()
  const columns = useColumns(run, takeOut)
  const setOffColumns = useSetOffColumns(run, takeOutSetOff)
  const {
    payment_id,
    number,
    status,
    partner_carrier_id,
    payee_id,
    payee_name,
    amount,
    bills,
    set_offs,
    returned_at,
    return_code,
    return_reason,
  } = payment
  const state = status as PaymentStatus
  const { data: carrier } = useQuery(nameQuery('partner', partner_carrier_id))
  return (
    <Panel
      title={payee_name}
      actions={
        <Text fw={650} size="sm">
          {money(amount, run.currency_id)}
        </Text>
      }
    >
      <Group gap="sm" mb="sm" fz="sm">
        <NumberLink to={`/payments/${payment_id}`}>{number ?? 'Draft payment'}</NumberLink>
        {returned_at ? (
          <StateBadge words="Returned" tone="stopped" />
        ) : (
          state !== 'draft' && <StateBadge words={paymentStatusWords[state]} tone={paymentTones[state]} />
        )}
        <span>{destinationOf(payment)}</span>
        <span>
          Payee <PayeeLink id={payee_id} />
        </span>
        {carrier && carrier.name !== payee_name && <span>For {carrier.name}</span>}
      </Group>
      {returned_at && (
        <Text size="sm" mb="sm">
          Came back <When at={returned_at} />: {[return_code, return_reason].filter(Boolean).join(', ')}
        </Text>
      )}
      <DataTable
        label={`Bills paid to ${payee_name}`}
        columns={columns}
        rows={bills}
        keyOf={({ bill_id }) => bill_id}
      />
      {set_offs.length > 0 && (
        <DataTable label={`Set off for ${payee_name}`} columns={setOffColumns} rows={set_offs} keyOf={({ id }) => id} />
      )}
    </Panel>
  )
}

/** What is left of a credit or of an earlier payment, which the carrier owes us. */
function useSetOffColumns(run: PaymentRun, takeOut: (setOff: SetOff) => void): Column<SetOff>[] {
  const money = useMoney()
  const canTakeOut = useCanTakeOut(run)
  const linkOf = ({ credit_id, payment_id }: SetOff) =>
    credit_id ? `/credits/${credit_id}` : `/payments/${payment_id}`
  return [
    {
      label: 'Set off',
      show: (setOff) => (
        <NumberLink to={linkOf(setOff)}>{setOff.number ?? (setOff.credit_id ? 'Credit' : 'Payment')}</NumberLink>
      ),
    },
    { label: 'Reference', show: ({ reference_number }) => reference_number ?? '–' },
    { label: 'Amount', end: true, show: ({ amount }) => money(amount, run.currency_id) },
    ...(canTakeOut
      ? [
          {
            label: 'Actions',
            end: true,
            show: (setOff: SetOff) => (
              <RowAction
                icon={IconX}
                label="Take out"
                of={setOff.number ?? setOff.id}
                onClick={() => takeOut(setOff)}
              />
            ),
          },
        ]
      : []),
  ]
}

function useCanTakeOut(run: PaymentRun): boolean {
  const { may } = useMe()
  return run.status !== 'issued' && may('pay')
}

function useColumns(run: PaymentRun, takeOut: (bill: RunBill) => void): Column<RunBill>[] {
  const money = useMoney()
  const canTakeOut = useCanTakeOut(run)
  return [
    {
      label: 'Bill',
      show: ({ bill_id, number }) => <NumberLink to={`/bills/${bill_id}`}>{number ?? 'Bill'}</NumberLink>,
    },
    { label: 'Reference', show: ({ reference_number }) => reference_number ?? '–' },
    { label: 'Due', show: ({ due_date }) => <Day at={due_date} /> },
    ...(run.discount_amount > 0
      ? [
          {
            label: 'Taken off',
            end: true,
            show: ({ discount_amount }: RunBill) =>
              discount_amount > 0 ? money(discount_amount, run.currency_id) : '–',
          },
        ]
      : []),
    ...(run.set_off_amount > 0
      ? [
          {
            label: 'Set off',
            end: true,
            show: ({ set_off_amount }: RunBill) => (set_off_amount > 0 ? money(set_off_amount, run.currency_id) : '–'),
          },
        ]
      : []),
    { label: 'Paid', end: true, show: ({ amount }) => money(amount, run.currency_id) },
    ...(canTakeOut
      ? [
          {
            label: 'Actions',
            end: true,
            show: (bill: RunBill) => (
              <RowAction icon={IconX} label="Take out" of={bill.number ?? bill.bill_id} onClick={() => takeOut(bill)} />
            ),
          },
        ]
      : []),
  ]
}

function TakeOut({ run, bill, close }: { run: PaymentRun; bill: RunBill; close: () => void }) {
  const change = useTakeOut(run, bill.bill_id)
  const money = useMoney()
  return (
    <TakeOutDialog run={run} what={bill.number ?? 'the bill'} change={change} close={close}>
      {money(bill.amount, run.currency_id)} is not paid by this run then; another run can choose the bill.
    </TakeOutDialog>
  )
}

function TakeOutSetOff({ run, setOff, close }: { run: PaymentRun; setOff: SetOff; close: () => void }) {
  const change = useTakeOutSetOff(run, setOff.id)
  const money = useMoney()
  return (
    <TakeOutDialog run={run} what={setOff.number ?? 'what is set off'} change={change} close={close}>
      The carrier is paid {money(setOff.amount, run.currency_id)} more then, and goes on owing it; another run can set
      it off.
    </TakeOutDialog>
  )
}

type TakeOutDialogProps = {
  run: PaymentRun
  what: string
  change: ReturnType<typeof useTakeOut>
  close: () => void
  children: ReactNode
}

function TakeOutDialog({ run, what, change, close, children }: TakeOutDialogProps) {
  const queryClient = useQueryClient()
  const load = async () => {
    await queryClient.fetchQuery({ ...runQuery(run.id), staleTime: 0 })
    change.reset()
  }
  return (
    <MoveDialog
      title={`Take ${what} out of ${run.number}`}
      label="Take out"
      isDanger={false}
      error={change.error}
      isPending={change.isPending}
      load={() => void load()}
      confirm={() => change.mutate(undefined, { onSuccess: close })}
      close={close}
    >
      {children}
      {run.status === 'approved' && ' The run is a draft again, and has to be approved again.'}
    </MoveDialog>
  )
}
