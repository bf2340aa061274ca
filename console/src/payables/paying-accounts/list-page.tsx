import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { IconBuildingBank, IconPencil, IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { partsOf } from '../payees/words.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { accountsQuery, type PayingAccount, useDeleteAccount } from './queries.ts'

type Open = { edit: PayingAccount | null } | { remove: PayingAccount } | null

export function ListPage() {
  const [open, setOpen] = useState<Open>(null)
  const { isAdmin } = useMe()
  const close = () => setOpen(null)
  return (
    <Page
      title="Paying accounts"
      lead={`The accounts from which you pay, one for each currency. The files of payment runs name them.${isAdmin ? '' : ' Admins can change this.'}`}
      actions={
        isAdmin && (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setOpen({ edit: null })}>
            New paying account
          </Button>
        )
      }
    >
      <List open={setOpen} />
      {open && 'edit' in open && <AccountDialog account={open.edit} close={close} />}
      {open && 'remove' in open && <Remove account={open.remove} close={close} />}
    </Page>
  )
}

function List({ open }: { open: (next: Open) => void }) {
  const { isAdmin } = useMe()
  const { data, error, refetch } = useQuery(accountsQuery)
  if (error) return <Failed error={error} what="the paying accounts" retry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  if (data.length === 0) {
    return (
      <Notice icon={IconBuildingBank} title="No paying accounts yet">
        {isAdmin
          ? 'Add the account from which you pay, so that payment runs can make files for your bank.'
          : 'An admin can add the account from which you pay.'}
      </Notice>
    )
  }
  return (
    <DataTable
      label="Paying accounts"
      columns={isAdmin ? [...columns, actionsOf(open)] : columns}
      rows={data}
      keyOf={({ currency_id }) => currency_id}
    />
  )
}

const columns: Column<PayingAccount>[] = [
  { label: 'Currency', show: ({ currency_id }) => <b>{currency_id.toUpperCase()}</b> },
  { label: 'Name of the account', show: ({ name }) => name },
  {
    label: 'Bank details',
    show: ({ bank_details }) =>
      partsOf(bank_details).map(({ label, text }) => (
        <Text key={label} size="sm">
          {label}: {text}
        </Text>
      )),
  },
  { label: 'Company id for ACH', show: ({ company_id }) => company_id ?? '–' },
  { label: 'ACH goes in', show: ({ ach_file }) => (ach_file === 'nacha' ? 'NACHA' : 'pain.001') },
]

const actionsOf = (open: (next: Open) => void): Column<PayingAccount> => ({
  label: 'Actions',
  end: true,
  show: (account) => (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <RowAction
        icon={IconPencil}
        label="Edit"
        of={account.currency_id.toUpperCase()}
        onClick={() => open({ edit: account })}
      />
      <RowAction
        icon={IconTrash}
        label="Delete"
        of={account.currency_id.toUpperCase()}
        onClick={() => open({ remove: account })}
      />
    </Group>
  ),
})

function Remove({ account, close }: { account: PayingAccount; close: () => void }) {
  return (
    <ConfirmDialog
      action="Delete"
      name={`the account for ${account.currency_id.toUpperCase()}`}
      close={close}
      change={useDeleteAccount(account)}
    >
      No files can be made for payment runs in this currency until there is another. Files of runs that are issued stay
      as they are.
    </ConfirmDialog>
  )
}
