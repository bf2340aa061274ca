import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { When } from '../../app/parts/when.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { DelegationDialog } from './delegation-dialog.tsx'
import { type Delegation, delegationsQuery, useEndDelegation } from './queries.ts'

/** Who approves in whose place. Everybody who may approve delegates their own approvals; an admin those of others too. */
export function Delegations() {
  const { may, isAdmin, user } = useMe()
  const { data: delegations, error, refetch } = useQuery(delegationsQuery)
  const [adding, { open, close }] = useDisclosure(false)
  const [ending, setEnding] = useState<Delegation | null>(null)
  const isOwn = ({ from_user_id, to_user_id }: Delegation) => from_user_id === user?.id || to_user_id === user?.id
  const columns = useColumns(setEnding)
  const add = may('approve') && (
    <Button size="xs" leftSection={<IconPlus size={15} aria-hidden />} onClick={open}>
      {isAdmin ? 'New delegation' : 'Delegate your approvals'}
    </Button>
  )
  return (
    <Panel
      title="Delegations"
      lead="While you are away, somebody else can approve in your place. Both names are kept with every decision."
      actions={add}
    >
      {error ? (
        <Failed error={error} what="the delegations" retry={() => void refetch()} />
      ) : !delegations ? (
        <TableSkeleton />
      ) : delegations.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nobody approves in the place of somebody else.
        </Text>
      ) : (
        <DataTable
          label="Delegations"
          columns={columns}
          rows={delegations.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))}
          keyOf={({ id }) => id}
        />
      )}
      {adding && <DelegationDialog close={close} />}
      {ending && <EndDelegation delegation={ending} close={() => setEnding(null)} />}
    </Panel>
  )
}

function useColumns(end: (delegation: Delegation) => void): Column<Delegation>[] {
  const { isAdmin, user } = useMe()
  const nameOf = (id: string, name: string) => (id === user?.id ? `${name} (you)` : name)
  const canEnd = ({ from_user_id, created_by }: Delegation) =>
    isAdmin || from_user_id === user?.id || created_by === user?.id
  return [
    {
      label: 'Approvals of',
      show: ({ from_user_id, from_user_name }) => <b>{nameOf(from_user_id, from_user_name)}</b>,
    },
    { label: 'Given by', show: ({ to_user_id, to_user_name }) => nameOf(to_user_id, to_user_name) },
    { label: 'From', show: ({ starts_at }) => <When at={starts_at} /> },
    { label: 'Until', show: ({ ends_at }) => <When at={ends_at} /> },
    {
      label: 'Actions',
      end: true,
      show: (delegation) =>
        canEnd(delegation) && (
          <RowAction
            icon={IconTrash}
            label="End"
            of={`delegation to ${delegation.to_user_name}`}
            onClick={() => end(delegation)}
          />
        ),
    },
  ]
}

function EndDelegation({ delegation, close }: { delegation: Delegation; close: () => void }) {
  return (
    <ConfirmDialog
      action="End"
      name={`delegation to ${delegation.to_user_name}`}
      close={close}
      change={useEndDelegation(delegation)}
    >
      What was approved under it stays approved.
    </ConfirmDialog>
  )
}
