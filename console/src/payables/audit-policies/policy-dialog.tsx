import { Checkbox, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { EditingDialog } from '../../app/editing/editing-form.tsx'
import { useEditing } from '../../app/editing/use-editing.ts'
import { RemoteSelect } from '../../app/inputs/remote-select.tsx'
import { PartySelect } from '../../books/documents/shown/parties.tsx'
import { choiceQuery, choicesQuery } from '../../settings/bill-item-types/queries.ts'
import type { Content, Policy } from './policy.ts'
import { policyQuery, useSavePolicy } from './queries.ts'
import { ReplayPanel } from './replay-panel.tsx'
import { contentOf, labels, problemsIn, type Values, versionOf } from './values.ts'

type PolicyDialogProps = { policy: Policy | null; digits: number; close: () => void }

/** A tolerance, with what it would have done to the past while it is edited. */
export function PolicyDialog({ policy, digits, close }: PolicyDialogProps) {
  const queryClient = useQueryClient()
  const save = useSavePolicy(policy)
  const editing = useEditing<Values>({
    start: versionOf(policy, digits),
    load: async () =>
      versionOf(await queryClient.fetchQuery({ ...policyQuery(policy?.id ?? ''), staleTime: 0 }), digits),
    save: async (_changes, revision, all) => {
      await save.mutateAsync({ content: contentOf(all, digits) as Content, revision })
      close()
      return undefined
    },
    fields: Object.keys(labels),
    validate: (values) => problemsIn(values, digits),
  })
  const { form } = editing
  const { values } = form
  const limit = (name: 'over_percent' | 'over_amount' | 'under_percent' | 'under_amount') => (
    <TextInput label={labels[name]} inputMode="decimal" autoComplete="off" {...form.getInputProps(name)} />
  )
  return (
    <EditingDialog
      editing={editing}
      what="audit policy"
      labels={labels}
      show={(field, shown) => (typeof shown[field] === 'boolean' ? (shown[field] ? 'Yes' : 'No') : shown[field] || '–')}
      title={policy ? 'Edit the audit policy' : 'New audit policy'}
      close={close}
      submitLabel={policy ? 'Save changes' : 'Create policy'}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <PartySelect
            party="carrier"
            label={labels.partner_carrier_id}
            noneLabel="All carriers"
            placeholder="All carriers"
            value={values.partner_carrier_id}
            onChange={(next: string | null) => form.setFieldValue('partner_carrier_id', next)}
            error={form.errors.partner_carrier_id}
          />
          <RemoteSelect
            label={labels.bill_item_type_id}
            noneLabel="All types"
            placeholder="All types"
            clearable
            search={choicesQuery}
            one={choiceQuery}
            value={values.bill_item_type_id}
            onChange={(next) => form.setFieldValue('bill_item_type_id', next)}
            error={form.errors.bill_item_type_id}
          />
          {limit('over_percent')}
          {limit('over_amount')}
          {limit('under_percent')}
          {limit('under_amount')}
        </SimpleGrid>
        <Text size="sm" c="dimmed">
          How much more or less than agreed is tolerated. Of a percent and an amount both have to hold; where neither is
          given, nothing is tolerated. Amounts are in the currency of the invoice.
        </Text>
        <Checkbox
          label={labels.approve_automatically}
          description={
            values.bill_item_type_id ? 'Not for a policy of a type of lines.' : 'Their bills are made without a person.'
          }
          disabled={values.bill_item_type_id !== null}
          checked={values.bill_item_type_id === null && values.approve_automatically}
          onChange={(event) => form.setFieldValue('approve_automatically', event.currentTarget.checked)}
        />
        {(['check_delivery', 'check_pod'] as const).map((name) => (
          <Checkbox
            key={name}
            label={labels[name]}
            {...(values.bill_item_type_id && { description: 'Not for a policy of a type of lines.' })}
            disabled={values.bill_item_type_id !== null}
            checked={values.bill_item_type_id !== null || values[name]}
            onChange={(event) => form.setFieldValue(name, event.currentTarget.checked)}
          />
        ))}
        <ReplayPanel content={contentOf(values, digits)} />
      </Stack>
    </EditingDialog>
  )
}
