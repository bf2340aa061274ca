import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { EditingDialog } from '../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../app/editing/use-editing.ts'
import { IconPlus, IconTrash } from '../../app/icons/icons.ts'
import { RowAction } from '../../app/table/row-action.tsx'
import { readDigits, separatorsOf } from '../../app/values/numbers.ts'
import {
  type Component,
  type Content,
  type TaxRate,
  taxRateQuery,
  useCreateTaxRate,
  useUpdateTaxRate,
} from './queries.ts'

type Values = { name: string; percent: string; components: Component[]; active: boolean }

export const labels: Record<keyof Values, string> = {
  name: 'Name',
  percent: 'Percent',
  components: 'Components',
  active: 'Can be given to lines',
}

/** A tax, of one percent or made of several. */
export function TaxRateDialog({ rate, close }: { rate: TaxRate | null; close: () => void }) {
  const queryClient = useQueryClient()
  const create = useCreateTaxRate()
  const update = useUpdateTaxRate(rate?.id ?? '')
  const editing = useEditing<Values>({
    start: versionOf(rate),
    load: async () => versionOf(await queryClient.fetchQuery({ ...taxRateQuery(rate?.id ?? ''), staleTime: 0 })),
    save: async (_changes, revision, all) => {
      if (rate) await update.mutateAsync({ changes: contentOf(all), revision })
      else await create.mutateAsync(contentOf(all))
      close()
    },
    fields: Object.keys(labels),
    validate: ({ name, percent, components }) => ({
      ...(!name.trim() && { name: 'Enter a name.' }),
      ...(components.length === 0 && percentIn(percent) === null && { percent: 'Enter a percent like 8.25.' }),
      ...(components.some((part) => !part.name.trim() || percentIn(part.percent) === null) && {
        components: 'Enter a name and a percent for each component.',
      }),
    }),
  })
  const { form } = editing
  const { components } = form.values
  return (
    <EditingDialog
      editing={editing}
      what="tax rate"
      labels={labels}
      show={show}
      title={rate ? `Edit ${rate.name}` : 'New tax rate'}
      close={close}
      submitLabel={rate ? 'Save changes' : 'Create tax rate'}
    >
      <Stack gap="md">
        <TextInput
          label={labels.name}
          required
          maxLength={255}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        {components.length === 0 && (
          <TextInput
            label={labels.percent}
            required
            inputMode="decimal"
            autoComplete="off"
            {...form.getInputProps('percent')}
          />
        )}
        <Components
          value={components}
          change={(next) => form.setFieldValue('components', next)}
          error={form.errors.components}
        />
        <Checkbox label="Lines can be given this tax" {...form.getInputProps('active', { type: 'checkbox' })} />
      </Stack>
    </EditingDialog>
  )
}

function Components({
  value,
  change,
  error,
}: {
  value: readonly Component[]
  change: (next: Component[]) => void
  error: ReactNode
}) {
  const set = (at: number, part: Partial<Component>) =>
    change(value.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={500}>
        Components
      </Text>
      <Text size="xs" c="dimmed">
        Where several taxes are charged together, such as GST and PST. The percent is their sum.
      </Text>
      {value.map(({ name, percent }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no id of their own
        <Group key={index} gap="xs" wrap="nowrap" mt="xs">
          <TextInput
            aria-label={`Name of component ${index + 1}`}
            placeholder="GST"
            value={name}
            onChange={(event) => set(index, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={`Percent of component ${index + 1}`}
            placeholder="5"
            inputMode="decimal"
            value={percent}
            onChange={(event) => set(index, { percent: event.currentTarget.value })}
          />
          <RowAction
            icon={IconTrash}
            label="Remove"
            of={`component ${index + 1}`}
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
        onClick={() => change([...value, { name: '', percent: '' }])}
      >
        Add component
      </Button>
    </fieldset>
  )
}

function versionOf(rate: TaxRate | null): Version<Values> {
  const typed = (percent: string) => percent.replace('.', separatorsOf(undefined).decimal)
  return {
    revision: rate?.revision ?? 0,
    values: {
      name: rate?.name ?? '',
      percent: rate ? typed(rate.percent) : '',
      components: rate?.components.map(({ name, percent }) => ({ name, percent: typed(percent) })) ?? [],
      active: rate?.active ?? true,
    },
  }
}

/** With components the percent is left out: it is what they come to. */
function contentOf({ name, percent, components, active }: Values): Content {
  const parts = components.map((part) => ({ name: part.name.trim(), percent: percentIn(part.percent) ?? part.percent }))
  return {
    name: name.trim(),
    components: parts,
    active,
    ...(parts.length === 0 && { percent: percentIn(percent) ?? percent }),
  }
}

/** As the API has it, or null where it cannot be read. */
function percentIn(typed: string): string | null {
  const digits = readDigits(typed, '')
  if ('problem' in digits || digits.negative) return null
  return `${digits.whole || '0'}${digits.fraction && `.${digits.fraction}`}`
}

function show(field: keyof Values, values: Values): ReactNode {
  if (field === 'components')
    return values.components.map(({ name, percent }) => `${name} ${percent} %`).join(', ') || '–'
  if (field === 'active') return values.active ? 'Yes' : 'No'
  return values[field] || '–'
}
