import { Checkbox, MultiSelect, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCurrency } from '../../app/api/currencies.ts'
import { EditingDialog } from '../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../app/editing/use-editing.ts'
import { CurrencySelect } from '../../app/inputs/currency-select.tsx'
import { RemoteSelect } from '../../app/inputs/remote-select.tsx'
import { Select } from '../../app/inputs/select.tsx'
import { readAmount, typedAmountOf } from '../../app/values/money.ts'
import { choiceQuery, choicesQuery } from '../../settings/bill-item-types/queries.ts'
import { peopleNamesQuery } from '../../settings/people/queries.ts'
import { roleWords } from '../../settings/people/roles.ts'
import { PartySelect } from '../documents/shown/parties.tsx'
import { type Rule, type RuleContent, ruleQuery, useSaveRule } from './queries.ts'

type Values = {
  name: string
  amount: string
  currency_id: string | null
  partner_carrier_id: string | null
  bill_item_type_id: string | null
  approvers: string
  approver_role: string | null
  approver_user_ids: string[]
  needed_approvals: string
  is_active: boolean
}

const labels: Record<keyof Values, string> = {
  name: 'Name',
  amount: 'From the amount',
  currency_id: 'Currency',
  partner_carrier_id: 'Carrier',
  bill_item_type_id: 'Type of a line',
  approvers: 'Approved by',
  approver_role: 'Role',
  approver_user_ids: 'People',
  needed_approvals: 'How many people',
  is_active: 'The rule counts',
}

/** The roles that may approve. */
const approvingRoles = ['admin', 'member', 'approver'] as const

export function RuleDialog({ rule, close }: { rule: Rule | null; close: () => void }) {
  const queryClient = useQueryClient()
  const save = useSaveRule(rule)
  const known = useCurrency(rule?.currency_id ?? null)
  const editing = useEditing<Values>({
    start: versionOf(rule, known?.minor_units ?? 2),
    load: async () =>
      versionOf(await queryClient.fetchQuery({ ...ruleQuery(rule?.id ?? ''), staleTime: 0 }), known?.minor_units ?? 2),
    save: async (_changes, revision, all) => {
      await save.mutateAsync({ content: contentOf(all, currency?.minor_units ?? 2), revision })
      close()
    },
    fields: Object.keys(labels),
    validate: ({ name, amount, currency_id, approvers, approver_role, approver_user_ids }) => {
      const read = amount.trim() ? readAmount(amount, currency ?? { minor_units: 2 }) : null
      return {
        ...(!name.trim() && { name: 'Enter a name.' }),
        ...(read && 'problem' in read && { amount: read.problem }),
        ...(read && !currency_id && { currency_id: 'Choose the currency of the amount.' }),
        ...(approvers === 'role' && !approver_role && { approver_role: 'Choose a role.' }),
        ...(approvers === 'people' &&
          approver_user_ids.length === 0 && { approver_user_ids: 'Choose at least one person.' }),
      }
    },
  })
  const { form } = editing
  const { values } = form
  const currency = useCurrency(values.currency_id)
  const { data: people = [] } = useQuery(peopleNamesQuery)
  const able = people.filter(({ role, disabled_at }) => !disabled_at && approvingRoles.some((one) => one === role))
  return (
    <EditingDialog
      editing={editing}
      what="rule"
      labels={labels}
      show={show}
      title={rule ? `Edit ${rule.name}` : 'New rule'}
      close={close}
      submitLabel={rule ? 'Save changes' : 'Create rule'}
    >
      <Stack gap="md">
        <TextInput
          label={labels.name}
          required
          maxLength={200}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput label={labels.amount} inputMode="decimal" autoComplete="off" {...form.getInputProps('amount')} />
          <CurrencySelect
            label={labels.currency_id}
            value={values.currency_id}
            onChange={(next) => form.setFieldValue('currency_id', next)}
            error={form.errors.currency_id}
          />
          <PartySelect
            party="carrier"
            label={labels.partner_carrier_id}
            clearable
            value={values.partner_carrier_id}
            onChange={(next) => form.setFieldValue('partner_carrier_id', next)}
            error={form.errors.partner_carrier_id}
          />
          <RemoteSelect
            label={labels.bill_item_type_id}
            clearable
            search={choicesQuery}
            one={choiceQuery}
            value={values.bill_item_type_id}
            onChange={(next) => form.setFieldValue('bill_item_type_id', next)}
            error={form.errors.bill_item_type_id}
          />
        </SimpleGrid>
        <Radio.Group
          label={labels.approvers}
          value={values.approvers}
          onChange={(next) => form.setFieldValue('approvers', next)}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="anyone" label="Anyone who may approve" />
            <Radio value="role" label="Everyone with a role" />
            <Radio value="people" label="Some people" />
          </Stack>
        </Radio.Group>
        {values.approvers === 'role' && (
          <Select
            label={labels.approver_role}
            choices={approvingRoles.map((role) => ({ value: role, label: roleWords[role].label }))}
            value={values.approver_role}
            onChange={(next) => form.setFieldValue('approver_role', next)}
            error={form.errors.approver_role}
          />
        )}
        {values.approvers === 'people' && (
          <MultiSelect
            label={labels.approver_user_ids}
            data={able.map(({ id, name }) => ({ value: id, label: name }))}
            searchable
            {...form.getInputProps('approver_user_ids')}
          />
        )}
        <Radio.Group
          label={labels.needed_approvals}
          value={values.needed_approvals}
          onChange={(next) => form.setFieldValue('needed_approvals', next)}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="1" label="One" />
            <Radio value="2" label="Two different people" />
          </Stack>
        </Radio.Group>
        <Checkbox label={labels.is_active} {...form.getInputProps('is_active', { type: 'checkbox' })} />
      </Stack>
    </EditingDialog>
  )
}

function versionOf(rule: Rule | null, digits: number): Version<Values> {
  return {
    revision: rule?.revision ?? 0,
    values: {
      name: rule?.name ?? '',
      amount: rule?.min_amount == null ? '' : typedAmountOf(rule.min_amount, digits),
      currency_id: rule?.currency_id ?? null,
      partner_carrier_id: rule?.partner_carrier_id ?? null,
      bill_item_type_id: rule?.bill_item_type_id ?? null,
      approvers: rule?.approver_user_ids ? 'people' : rule?.approver_role ? 'role' : 'anyone',
      approver_role: rule?.approver_role ?? null,
      approver_user_ids: rule?.approver_user_ids ?? [],
      needed_approvals: String(rule?.needed_approvals ?? 1),
      is_active: rule?.is_active ?? true,
    },
  }
}

function contentOf(values: Values, minor_units: number): RuleContent {
  const read = values.amount.trim() ? readAmount(values.amount, { minor_units }) : null
  const min_amount = read && 'amount' in read ? read.amount : null
  return {
    name: values.name.trim(),
    is_active: values.is_active,
    min_amount,
    currency_id: min_amount === null ? null : values.currency_id,
    partner_carrier_id: values.partner_carrier_id,
    bill_item_type_id: values.bill_item_type_id,
    approver_user_ids: values.approvers === 'people' ? values.approver_user_ids : null,
    approver_role: values.approvers === 'role' ? (values.approver_role as RuleContent['approver_role']) : null,
    needed_approvals: Number(values.needed_approvals),
  }
}

function show(field: keyof Values, values: Values): ReactNode {
  const value = values[field]
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return (Array.isArray(value) ? value.length : value) || '–'
}
