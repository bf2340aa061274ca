import { Button, Group, Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrency, useMoney } from '../../../app/api/currencies.ts'
import { useMe } from '../../../app/api/me.ts'
import { wordsFor } from '../../../app/api/problem.ts'
import { Refused } from '../../../app/editing/conflict.tsx'
import { IconTrash } from '../../../app/icons/icons.ts'
import { Panel } from '../../../app/parts/panel.tsx'
import { When } from '../../../app/parts/when.tsx'
import { type Column, DataTable } from '../../../app/table/data-table.tsx'
import { RowAction } from '../../../app/table/row-action.tsx'
import { bills } from '../../bills/kind.ts'
import { carrierCredits, customerCredits } from '../../credits/kind.ts'
import type { DocumentKind } from '../../documents/kind.ts'
import { documentQuery } from '../../documents/queries.ts'
import { DocumentLink } from '../../documents/shown/document-link.tsx'
import { StateOf } from '../../documents/shown/shown.tsx'
import { invoices } from '../../invoices/kind.ts'
import { canAllocateAll, readParts } from '../allocating/allocating.ts'
import { OpenDocuments, type TypedAmounts } from '../allocating/open-documents.tsx'
import { useOpenDocuments } from '../allocating/open-query.ts'
import { type Allocation, type Payment, paymentQuery, useAllocate, useEndAllocation } from '../queries.ts'
import { settles } from './new-page.tsx'

/** What the payment settles, and what can still be allocated. */
export function AllocationsPanel({ payment }: { payment: Payment }) {
  const money = useMoney()
  const [adding, setAdding] = useState(false)
  const end = useEndAllocation(payment)
  const { may } = useMe()
  const canAllocate = may('pay') && payment.available_actions.includes('allocate')
  const endOne = ({ id = '' }: Allocation) =>
    end.mutate(id, {
      onError: (error) =>
        notifications.show({ title: 'Could not take back the allocation', message: wordsFor(error), color: 'red.9' }),
    })
  const columns: Column<Allocation>[] = [
    {
      label: 'Document',
      show: (allocation) => (
        <Target allocation={allocation} credits={payment.partner_carrier_id ? carrierCredits : customerCredits} />
      ),
    },
    { label: 'Allocated', show: ({ created_at }) => <When at={created_at} /> },
    { label: 'Amount', end: true, show: ({ amount }) => money(amount, payment.currency_id) },
  ]
  const action: Column<Allocation> = {
    label: 'Actions',
    end: true,
    show: (allocation) => (
      <RowAction
        icon={IconTrash}
        label="Take back"
        of={money(allocation.amount, payment.currency_id)}
        onClick={() => !end.isPending && endOne(allocation)}
      />
    ),
  }
  const { allocations, unallocated_amount } = payment
  return (
    <Panel title="What it settles">
      {allocations.length > 0 ? (
        <DataTable
          label="What it settles"
          columns={canAllocate && payment.method !== 'recorded' ? [...columns, action] : columns}
          rows={allocations}
          keyOf={({ id, bill_id, invoice_id, credit_id }) => id ?? bill_id ?? invoice_id ?? credit_id ?? ''}
          waiting={end.isPending}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {payment.status === 'voided' ? 'The payment was voided, so it settles nothing.' : 'Nothing is allocated yet.'}
        </Text>
      )}
      {canAllocate && unallocated_amount > 0 && (
        <Button mt="md" variant="default" onClick={() => setAdding(true)}>
          Allocate {money(unallocated_amount, payment.currency_id)}
        </Button>
      )}
      {adding && <AllocateDialog payment={payment} close={() => setAdding(false)} />}
    </Panel>
  )
}

function Target({
  allocation: { bill_id, invoice_id, credit_id },
  credits,
}: {
  allocation: Allocation
  credits: DocumentKind
}) {
  if (bill_id) return <LinkAndState kind={bills} id={bill_id} />
  if (invoice_id) return <LinkAndState kind={invoices} id={invoice_id} />
  return credit_id ? <LinkAndState kind={credits} id={credit_id} /> : '–'
}

function LinkAndState({ kind, id }: { kind: DocumentKind; id: string }) {
  const { data } = useQuery(documentQuery(kind, id))
  return (
    <Group gap="xs">
      <DocumentLink kind={kind} id={id} />
      {data && <StateOf kind={kind} document={data.document} />}
    </Group>
  )
}

function AllocateDialog({ payment, close }: { payment: Payment; close: () => void }) {
  const [typed, setTyped] = useState<TypedAmounts>(new Map())
  const queryClient = useQueryClient()
  const currency = useCurrency(payment.currency_id)
  const allocate = useAllocate(payment)
  const { kind, idField } = settles[payment.direction]
  const partyId = payment.partner_carrier_id ?? payment.customer_id ?? ''
  const open = useOpenDocuments({ kind, partyId, currencyId: payment.currency_id })
  if (!currency) return null
  const read = readParts(typed, open.data?.rows ?? [], currency)
  const { parts, sum } = read
  const isGood = parts.size > 0 && canAllocateAll(read) && sum <= BigInt(payment.unallocated_amount)
  const save = () =>
    allocate.mutate(
      [...parts].map(([id, amount]) => ({ [idField]: id, amount })),
      { onSuccess: close },
    )
  const load = async () => {
    await queryClient.fetchQuery({ ...paymentQuery(payment.id), staleTime: 0 })
    allocate.reset()
  }
  return (
    <Modal opened onClose={close} title={`Allocate ${payment.number}`} size="xl">
      <OpenDocuments
        kind={kind}
        open={open}
        currency={currency}
        amount={payment.unallocated_amount}
        typed={typed}
        change={setTyped}
      />
      <Refused error={allocate.error} what="payment" load={() => void load()} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button onClick={save} disabled={!isGood} loading={allocate.isPending}>
          Allocate
        </Button>
      </Group>
    </Modal>
  )
}
