import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrency } from '../../app/api/currencies.ts'
import { useMe } from '../../app/api/me.ts'
import { organizationQuery } from '../../app/api/organization.ts'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { FieldChanges } from '../../app/history/field-changes.tsx'
import { HistoryDialog } from '../../app/history/history-dialog.tsx'
import { IconHistory, IconPencil, IconPlus, IconScale, IconTrash } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { LoadingText } from '../../app/parts/loading-text.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { amountOf } from '../../app/values/money.ts'
import { separatorsOf } from '../../app/values/numbers.ts'
import { nameQuery } from '../../records/kinds/names.ts'
import { ObjectName } from '../../records/kinds/object-name.tsx'
import { choiceQuery } from '../../settings/bill-item-types/queries.ts'
import type { Policy } from './policy.ts'
import { PolicyDialog } from './policy-dialog.tsx'
import { historyQuery, policiesQuery, useDeletePolicy } from './queries.ts'
import { labels } from './values.ts'

type Open = { edit: Policy | null } | { remove: Policy } | { history: Policy } | null

/** How far carriers' invoices may be from what was agreed. */
export function ListPage() {
  const { may } = useMe()
  const [open, setOpen] = useState<Open>(null)
  const { data: organization } = useQuery(organizationQuery)
  const digits = useCurrency(organization?.home_currency_id ?? null)?.minor_units ?? 2
  const canChange = may('administer')
  const close = () => setOpen(null)
  return (
    <Page
      title="Audit policies"
      lead="How far carriers’ invoices may be from what was agreed. The narrowest policy that fits counts: of the carrier and the type of line, of the carrier, of the type, of all."
      actions={
        canChange && (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ edit: null })}>
            New policy
          </Button>
        )
      }
    >
      <List open={setOpen} canChange={canChange} digits={digits} />
      {open && 'edit' in open && <PolicyDialog policy={open.edit} digits={digits} close={close} />}
      {open && 'remove' in open && <Remove policy={open.remove} close={close} />}
      {open && 'history' in open && <History policy={open.history} close={close} />}
    </Page>
  )
}

function List({ open, canChange, digits }: { open: (next: Open) => void; canChange: boolean; digits: number }) {
  const { data: policies, error, refetch } = useQuery(policiesQuery)
  if (error) return <Failed error={error} what="the audit policies" retry={() => void refetch()} />
  if (!policies) return <TableSkeleton />
  if (policies.length === 0) {
    return (
      <Notice icon={IconScale} title="No audit policies yet">
        {canChange
          ? 'Nothing is tolerated: every difference from what was agreed makes an invoice an exception. Add a policy, such as 2 % over for all carriers.'
          : 'Nothing is tolerated: every difference from what was agreed makes an invoice an exception. An admin can add a policy.'}
      </Notice>
    )
  }
  return (
    <DataTable
      label="Audit policies"
      columns={columnsOf({ open, canChange, digits })}
      rows={policies}
      keyOf={({ id }) => id}
    />
  )
}

type Doing = { open: (next: Open) => void; canChange: boolean; digits: number }

function columnsOf({ open, canChange, digits }: Doing): Column<Policy>[] {
  return [
    {
      label: 'Carrier',
      show: ({ partner_carrier_id: id }) => <b>{id ? <ObjectName objectKey="partner" id={id} /> : 'All carriers'}</b>,
    },
    { label: 'Type of line', show: ({ bill_item_type_id: id }) => (id ? <TypeName id={id} /> : 'All types') },
    { label: 'Over by at most', show: ({ over_percent, over_amount }) => limitOf(over_percent, over_amount, digits) },
    {
      label: 'Under by at most',
      show: ({ under_percent, under_amount }) => limitOf(under_percent, under_amount, digits),
    },
    { label: 'Automatic approval', show: ({ approve_automatically }) => (approve_automatically ? 'Yes' : 'No') },
    {
      label: 'Actions',
      end: true,
      show: (policy) => <Actions policy={policy} open={open} canChange={canChange} />,
    },
  ]
}

/** The names of the buttons say whose policy it is. */
function Actions({ policy, open, canChange }: { policy: Policy } & Omit<Doing, 'digits'>) {
  const { partner_carrier_id: carrier, bill_item_type_id: type } = policy
  const { data: named } = useQuery({ ...nameQuery('partner', carrier ?? ''), enabled: carrier !== null })
  const { data: types } = useQuery({ ...choiceQuery(type ?? ''), enabled: type !== null })
  const of = [
    carrier ? (named?.name ?? 'a carrier') : 'all carriers',
    ...(type ? [types?.[0]?.label ?? 'a type'] : []),
  ].join(', ')
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {canChange && <RowAction icon={IconPencil} label="Edit" of={of} onClick={() => open({ edit: policy })} />}
      <RowAction icon={IconHistory} label="History" of={of} onClick={() => open({ history: policy })} />
      {canChange && <RowAction icon={IconTrash} label="Delete" of={of} onClick={() => open({ remove: policy })} />}
    </Group>
  )
}

function TypeName({ id }: { id: string }) {
  const { data, error } = useQuery(choiceQuery(id))
  return data?.[0]?.label ?? (error ? 'a deleted type' : <LoadingText />)
}

/** Where both are set, both have to hold. */
function limitOf(percent: string | null, amount: number | null, digits: number): string {
  const parts = [
    ...(percent === null ? [] : [`${percent.replace('.', separatorsOf(undefined).decimal)} %`]),
    ...(amount === null ? [] : [amountOf(amount, digits)]),
  ]
  return parts.join(' and ') || 'Nothing'
}

function Remove({ policy, close }: { policy: Policy; close: () => void }) {
  return (
    <ConfirmDialog action="Delete" name="the audit policy" close={close} change={useDeletePolicy(policy)}>
      A wider policy counts in its place; without one nothing is tolerated. Invoices that were audited stay as they are
      until they are audited again.
    </ConfirmDialog>
  )
}

function History({ policy, close }: { policy: Policy; close: () => void }) {
  return (
    <HistoryDialog
      name="the audit policy"
      close={close}
      query={(limit) => historyQuery(policy.id, limit)}
      changesOf={(event) => <FieldChanges event={event} labels={labels} />}
    />
  )
}
