import { Button, Group, Text } from '@mantine/core'
import { IconChecks, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoney } from '../api/currencies.ts'
import { useMe } from '../api/me.ts'
import { PartyName } from '../billing/parties.tsx'
import { organizationQuery } from '../organization/queries.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { type Column, DataTable, TableSkeleton } from '../parts/data-table.tsx'
import { Failed } from '../parts/failed.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { RowAction } from '../parts/row-action.tsx'
import { StateBadge } from '../parts/state-badge.tsx'
import { When } from '../parts/when.tsx'
import { peopleNamesQuery } from '../people/queries.ts'
import { roleWords } from '../people/roles.ts'
import { DelegationDialog } from './delegation-dialog.tsx'
import { PolicyPanel } from './policy-panel.tsx'
import { type Delegation, delegationsQuery, type Rule, rulesQuery, useDeleteRule, useEndDelegation } from './queries.ts'
import { RuleDialog } from './rule-dialog.tsx'

type Open = { rule: Rule | null } | { remove: Rule } | 'delegation' | { end: Delegation } | null

/** Whether and by whom bills are approved before they are paid. */
export function SettingsPage() {
  const [open, setOpen] = useState<Open>(null)
  const { data: organization, error, refetch } = useQuery(organizationQuery)
  const close = () => setOpen(null)
  return (
    <Page title="Approvals" lead="Which bills have to be approved before they are paid, and by whom.">
      {error ? (
        <Failed error={error} what="the settings" retry={() => void refetch()} />
      ) : organization ? (
        <PolicyPanel organization={organization} />
      ) : (
        <TableSkeleton />
      )}
      <Rules open={setOpen} />
      <Delegations open={setOpen} />
      {open && open !== 'delegation' && 'rule' in open && <RuleDialog rule={open.rule} close={close} />}
      {open && open !== 'delegation' && 'remove' in open && <RemoveRule rule={open.remove} close={close} />}
      {open === 'delegation' && <DelegationDialog close={close} />}
      {open && open !== 'delegation' && 'end' in open && <EndDelegation delegation={open.end} close={close} />}
    </Page>
  )
}

function Rules({ open }: { open: (next: Open) => void }) {
  const { isAdmin } = useMe()
  const { data: rules, error, refetch } = useQuery(rulesQuery)
  const columns = useRuleColumns(open)
  const add = isAdmin && (
    <Button size="xs" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => open({ rule: null })}>
      New rule
    </Button>
  )
  return (
    <Panel
      title="Rules"
      lead="Every rule about a bill has to be met. A bill that no rule is about needs one approval, unless it is under the limit."
      actions={add}
    >
      {error ? (
        <Failed error={error} what="the rules" retry={() => void refetch()} />
      ) : !rules ? (
        <TableSkeleton />
      ) : rules.length === 0 ? (
        <Notice icon={IconChecks} title="No rules yet">
          A rule says who approves bills of an amount, a carrier or a type of line, and whether one or two people have to.
        </Notice>
      ) : (
        <DataTable label="Rules" columns={columns} rows={rules} keyOf={({ id }) => id} />
      )}
    </Panel>
  )
}

function useRuleColumns(open: (next: Open) => void): Column<Rule>[] {
  const { isAdmin } = useMe()
  const money = useMoney()
  const { data: people = [] } = useQuery({ ...peopleNamesQuery, enabled: isAdmin })
  const approversOf = ({ approver_user_ids, approver_role }: Rule) =>
    approver_user_ids
      ? approver_user_ids.map((id) => people.find((one) => one.id === id)?.name ?? 'A user').join(', ')
      : approver_role
        ? `Anyone who is ${roleWords[approver_role].one}`
        : 'Anyone who may approve'
  const columns: Column<Rule>[] = [
    { label: 'Name', show: ({ name }) => <b>{name}</b> },
    {
      label: 'Bills',
      show: ({ min_amount, currency_id, partner_carrier_id, bill_item_type_id }) => (
        <>
          {min_amount !== null && <Text size="sm">From {money(min_amount, currency_id)}</Text>}
          {partner_carrier_id && <PartyName party="carrier" id={partner_carrier_id} />}
          {bill_item_type_id && <Text size="sm">With lines of one type</Text>}
          {min_amount === null && !partner_carrier_id && !bill_item_type_id && 'All'}
        </>
      ),
    },
    { label: 'Approved by', show: approversOf },
    { label: 'People', end: true, show: ({ needed_approvals }) => needed_approvals },
    { label: 'State', show: ({ is_active }) => <StateBadge words={is_active ? 'Active' : 'Off'} tone={is_active ? 'done' : 'quiet'} /> },
  ]
  const actions: Column<Rule> = {
    label: 'Actions',
    end: true,
    show: (rule) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        <RowAction icon={IconPencil} label="Edit" of={rule.name} onClick={() => open({ rule })} />
        <RowAction icon={IconTrash} label="Delete" of={rule.name} onClick={() => open({ remove: rule })} />
      </Group>
    ),
  }
  return isAdmin ? [...columns, actions] : columns
}

function Delegations({ open }: { open: (next: Open) => void }) {
  const { isAdmin, user } = useMe()
  const { data: delegations, error, refetch } = useQuery(delegationsQuery)
  const add = isAdmin && (
    <Button size="xs" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => open('delegation')}>
      New delegation
    </Button>
  )
  const columns: Column<Delegation>[] = [
    { label: 'Approvals of', show: ({ from_user_name }) => <b>{from_user_name}</b> },
    { label: 'Given by', show: ({ to_user_name }) => to_user_name },
    { label: 'From', show: ({ starts_at }) => <When at={starts_at} /> },
    { label: 'Until', show: ({ ends_at }) => <When at={ends_at} /> },
    {
      label: 'Actions',
      end: true,
      show: (delegation) =>
        (isAdmin || delegation.from_user_id === user?.id) && (
          <RowAction icon={IconTrash} label="End" of={`delegation to ${delegation.to_user_name}`} onClick={() => open({ end: delegation })} />
        ),
    },
  ]
  return (
    <Panel title="Delegations" lead="Somebody approves in the place of somebody else for a while." actions={add}>
      {error ? (
        <Failed error={error} what="the delegations" retry={() => void refetch()} />
      ) : !delegations ? (
        <TableSkeleton />
      ) : delegations.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nobody approves in the place of somebody else.{isAdmin ? '' : ' An admin can arrange it before you are away.'}
        </Text>
      ) : (
        <DataTable label="Delegations" columns={columns} rows={delegations} keyOf={({ id }) => id} />
      )}
    </Panel>
  )
}

function RemoveRule({ rule, close }: { rule: Rule; close: () => void }) {
  return (
    <ConfirmDialog action="Delete" name={rule.name} close={close} change={useDeleteRule(rule)}>
      Open bills are looked at again without it. What was decided stays in their history.
    </ConfirmDialog>
  )
}

function EndDelegation({ delegation, close }: { delegation: Delegation; close: () => void }) {
  return (
    <ConfirmDialog action="End" name={`delegation to ${delegation.to_user_name}`} close={close} change={useEndDelegation(delegation)}>
      What was approved under it stays approved.
    </ConfirmDialog>
  )
}
