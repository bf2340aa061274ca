import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EditingDialog } from '../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../app/editing/use-editing.ts'
import { IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { NumberInput } from '../../app/inputs/number-input.tsx'
import { RowAction } from '../../app/table/row-action.tsx'
import { readQuantity, textAfterLeaving } from '../../app/values/numbers.ts'
import {
  type Content,
  type Mappings,
  type PayTerm,
  payTermQuery,
  useCreatePayTerm,
  useUpdatePayTerm,
} from './queries.ts'

type Mapping = { connector_id: string; vendor_pay_term_id: string }
type Values = { name: string; number_of_days: string; connector_mappings: Mapping[] }

export const labels: Record<keyof Values, string> = {
  name: 'Name',
  number_of_days: 'Days',
  connector_mappings: 'Ids in other systems',
}

export function PayTermDialog({ term, close }: { term: PayTerm | null; close: () => void }) {
  const queryClient = useQueryClient()
  const create = useCreatePayTerm()
  const update = useUpdatePayTerm(term?.id ?? '')
  const editing = useEditing<Values>({
    start: versionOf(term),
    load: async () => versionOf(await queryClient.fetchQuery({ ...payTermQuery(term?.id ?? ''), staleTime: 0 })),
    save: async (changes, revision) => {
      if (term) await update.mutateAsync({ changes: contentOf(changes), revision })
      else
        await create.mutateAsync(
          contentOf({ connector_mappings: [], name: '', number_of_days: '', ...changes }) as Content,
        )
      close()
    },
    fields: Object.keys(labels),
    validate: ({ name, number_of_days }) => {
      const days = readQuantity(number_of_days)
      return {
        ...(!name.trim() && { name: 'Enter a name.' }),
        ...(('problem' in days || days.amount < 0) && { number_of_days: 'Enter a whole number of days, 0 or more.' }),
      }
    },
  })
  const { form } = editing
  return (
    <EditingDialog
      editing={editing}
      what="pay term"
      labels={labels}
      show={show}
      title={term ? `Edit ${term.name}` : 'New pay term'}
      close={close}
      submitLabel={term ? 'Save changes' : 'Create pay term'}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          required
          maxLength={255}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <NumberInput
          label="Days"
          required
          inputMode="numeric"
          {...form.getInputProps('number_of_days')}
          value={form.values.number_of_days}
          shownBack={(typed) => textAfterLeaving(typed, readQuantity(typed), String)}
        />
        <MappingsField
          value={form.values.connector_mappings}
          change={(next) => form.setFieldValue('connector_mappings', next)}
          error={form.errors.connector_mappings}
        />
      </Stack>
    </EditingDialog>
  )
}

function MappingsField({
  value,
  change,
  error,
}: {
  value: readonly Mapping[]
  change: (next: Mapping[]) => void
  error: ReactNode
}) {
  const set = (at: number, part: Partial<Mapping>) =>
    change(value.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={500}>
        Ids in other systems
      </Text>
      {value.map(({ connector_id, vendor_pay_term_id }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no id of their own
        <Group key={index} gap="xs" wrap="nowrap" mt="xs">
          <TextInput
            aria-label={`Connector ${index + 1}`}
            placeholder="quickbooks"
            value={connector_id}
            onChange={(event) => set(index, { connector_id: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Id at connector ${index + 1}`}
            placeholder="NET30"
            value={vendor_pay_term_id}
            onChange={(event) => set(index, { vendor_pay_term_id: event.currentTarget.value })}
          />
          <RowAction
            icon={IconTrash}
            label="Remove"
            of={`connector ${index + 1}`}
            onClick={() => change(value.filter((_, at) => at !== index))}
          />
        </Group>
      ))}
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" mt={4} role="alert">
          {error}
        </Text>
      )}
      <Button
        mt="xs"
        size="xs"
        variant="subtle"
        leftSection={<IconPlus size={15} aria-hidden />}
        onClick={() => change([...value, { connector_id: '', vendor_pay_term_id: '' }])}
      >
        Add connector
      </Button>
    </fieldset>
  )
}

function versionOf(term: PayTerm | null): Version<Values> {
  const mappings = Object.values(term?.connector_mappings ?? {}).map(({ connector_id, vendor_pay_term_id }) => ({
    connector_id,
    vendor_pay_term_id,
  }))
  return {
    revision: term?.revision ?? 0,
    values: {
      name: term?.name ?? '',
      number_of_days: term ? String(term.number_of_days) : '',
      connector_mappings: mappings,
    },
  }
}

function contentOf({ name, number_of_days, connector_mappings }: Partial<Values>): Partial<Content> {
  const named = connector_mappings?.map(
    ({ connector_id, vendor_pay_term_id }) => [connector_id.trim(), vendor_pay_term_id.trim()] as const,
  )
  const days = number_of_days === undefined ? null : readQuantity(number_of_days)
  const filled = named?.filter(([connector_id, vendor_pay_term_id]) => connector_id || vendor_pay_term_id)
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(days && 'amount' in days && { number_of_days: days.amount }),
    ...(filled && {
      connector_mappings: Object.fromEntries(
        filled.map(([connector_id, vendor_pay_term_id]) => [connector_id, { connector_id, vendor_pay_term_id }]),
      ) as Mappings,
    }),
  }
}

function show(field: keyof Values, values: Values): ReactNode {
  if (field !== 'connector_mappings') return values[field] || '–'
  return (
    values.connector_mappings
      .map(({ connector_id, vendor_pay_term_id }) => `${connector_id}: ${vendor_pay_term_id}`)
      .join(', ') || '–'
  )
}
