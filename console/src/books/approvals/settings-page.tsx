import { Box, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMoney } from '../../app/api/currencies.ts'
import { useMe } from '../../app/api/me.ts'
import { organizationQuery } from '../../app/api/organization.ts'
import { ConfirmDialog } from '../../app/editing/confirm-dialog.tsx'
import { IconChecks, IconPencil, IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Notice } from '../../app/parts/notice.tsx'
import { Page } from '../../app/parts/page.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { type Column, DataTable, TableSkeleton } from '../../app/table/data-table.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { peopleNamesQuery } from '../../settings/people/queries.ts'
import { roleWords } from '../../settings/people/roles.ts'
import { PartyName } from '../documents/shown/parties.tsx'
import { Delegations } from './delegations.tsx'
import { PolicyPanel } from './policy-panel.tsx'
import { type Rule, rulesQuery, useDeleteRule } from './queries.ts'
import { RuleDialog } from './rule-dialog.tsx'

type Open = { rule: Rule | null } | { remove: Rule } | null

/** Whether and by whom bills are approved before they are paid. */
export function SettingsPage() {
  const [open, setOpen] = useState<Open>(null)
  const { data: organization, error, refetch } = useQuery(organizationQuery)
  const close = () => setOpen(null)
  return (
    <Page title="Approvals" lead="Which bills have to be approved before they are paid, and by whom.">
      {organization ? (
        <PolicyPanel organization={organization} />
      ) : (
        <Box mb="md">
          {error ? <Failed error={error} what="the settings" retry={() => void refetch()} /> : <TableSkeleton />}
        </Box>
      )}
      <Rules open={setOpen} />
      <Delegations />
      {open && 'rule' in open && <RuleDialog rule={open.rule} close={close} />}
      {open && 'remove' in open && <RemoveRule rule={open.remove} close={close} />}
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
          A rule says who approves bills of an amount, a carrier or a type of line, and whether one or two people have
          to.
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
    {
      label: 'State',
      show: ({ is_active }) => <StateBadge words={is_active ? 'Active' : 'Off'} tone={is_active ? 'done' : 'quiet'} />,
    },
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

function RemoveRule({ rule, close }: { rule: Rule; close: () => void }) {
  return (
    <ConfirmDialog action="Delete" name={rule.name} close={close} change={useDeleteRule(rule)}>
      Open bills are looked at again without it. What was decided stays in their history.
    </ConfirmDialog>
  )
}
