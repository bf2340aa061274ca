import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { EditingDialog } from '../../app/editing/editing-form.tsx'
import { useEditing, type Version } from '../../app/editing/use-editing.ts'
import { CurrencySelect } from '../../app/inputs/currency-select.tsx'
import { NumberInput } from '../../app/inputs/number-input.tsx'
import { today } from '../../app/values/dates.ts'
import { type ExchangeRate, type NewRate, rateQuery, useCreateRate, useUpdateRate } from './queries.ts'
import { readRate, typedRateOf } from './rate-text.ts'

type Values = {
  from_currency_id: string | null
  to_currency_id: string | null
  rate: string
  starts_on: string
  ends_on: string
  source: string
}

export const labels: Record<keyof Values, string> = {
  from_currency_id: 'From currency',
  to_currency_id: 'To currency',
  rate: 'Rate',
  starts_on: 'First day',
  ends_on: 'Last day',
  source: 'Source',
}

type RateDialogProps = {
  rate: ExchangeRate | null
  /** The currency that a new rate leads to. */
  home: string | null
  close: () => void
}

/** A rate and its days. The currencies of a rate stay as they are. */
export function RateDialog({ rate, home, close }: RateDialogProps) {
  const queryClient = useQueryClient()
  const create = useCreateRate()
  const update = useUpdateRate(rate?.id ?? '')
  const editing = useEditing<Values>({
    start: versionOf(rate, home),
    load: async () => versionOf(await queryClient.fetchQuery({ ...rateQuery(rate?.id ?? ''), staleTime: 0 }), home),
    save: async (changes, revision, all) => {
      if (rate) await update.mutateAsync({ changes: contentOf(changes), revision })
      else await create.mutateAsync(contentOf(all) as NewRate)
      close()
    },
    fields: Object.keys(labels),
    validate: ({ from_currency_id, to_currency_id, rate: typed, starts_on }) => {
      const read = readRate(typed)
      return {
        ...(!from_currency_id && { from_currency_id: 'Choose a currency.' }),
        ...(!to_currency_id && { to_currency_id: 'Choose a currency.' }),
        ...('problem' in read && { rate: read.problem }),
        ...(!starts_on && { starts_on: 'Enter the first day.' }),
      }
    },
  })
  const { form } = editing
  const currency = (name: 'from_currency_id' | 'to_currency_id') => (
    <CurrencySelect
      label={labels[name]}
      required
      clearable={false}
      readOnly={rate !== null}
      value={form.values[name]}
      onChange={(next) => form.setFieldValue(name, next)}
      error={form.errors[name]}
    />
  )
  return (
    <EditingDialog
      editing={editing}
      what="exchange rate"
      labels={labels}
      show={(field, values) => values[field] || '–'}
      title={rate ? `Edit the rate ${nameOf(rate)}` : 'New exchange rate'}
      close={close}
      submitLabel={rate ? 'Save changes' : 'Create rate'}
    >
      <Stack gap="md">
        <SimpleGrid cols={2} spacing="sm">
          {currency('from_currency_id')}
          {currency('to_currency_id')}
        </SimpleGrid>
        <NumberInput
          label={labels.rate}
          description="How much one unit of the first currency is worth in the second."
          required
          {...form.getInputProps('rate')}
          value={form.values.rate}
          shownBack={(typed) => {
            const read = readRate(typed)
            return 'rate' in read ? typedRateOf(read.rate) : typed
          }}
        />
        <SimpleGrid cols={2} spacing="sm">
          <TextInput type="date" label={labels.starts_on} required {...form.getInputProps('starts_on')} />
          <TextInput
            type="date"
            label={labels.ends_on}
            description="Empty: until the next rate begins."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('ends_on')}
          />
        </SimpleGrid>
        <TextInput label={labels.source} maxLength={255} autoComplete="off" {...form.getInputProps('source')} />
      </Stack>
    </EditingDialog>
  )
}

export function nameOf({ from_currency_id, to_currency_id }: ExchangeRate): string {
  return `${from_currency_id.toUpperCase()} to ${to_currency_id.toUpperCase()}`
}

function versionOf(rate: ExchangeRate | null, home: string | null): Version<Values> {
  if (!rate)
    return {
      revision: 0,
      values: { from_currency_id: null, to_currency_id: home, rate: '', starts_on: today(), ends_on: '', source: '' },
    }
  const { from_currency_id, to_currency_id, starts_on, ends_on, source, revision } = rate
  return {
    revision,
    values: {
      from_currency_id,
      to_currency_id,
      rate: typedRateOf(rate.rate),
      starts_on,
      ends_on: ends_on ?? '',
      source: source ?? '',
    },
  }
}

function contentOf({ rate, ends_on, source, ...rest }: Partial<Values>): object {
  const read = rate === undefined ? null : readRate(rate)
  return {
    ...rest,
    ...(read && 'rate' in read && { rate: read.rate }),
    ...(ends_on !== undefined && { ends_on: ends_on || null }),
    ...(source !== undefined && { source: source.trim() || null }),
  }
}
