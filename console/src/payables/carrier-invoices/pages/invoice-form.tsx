import { Alert, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCurrencies, useMoney } from '../../../app/api/currencies.ts'
import { organizationQuery } from '../../../app/api/organization.ts'
import { wordsFor } from '../../../app/api/problem.ts'
import { CancelButton, EditingForm } from '../../../app/editing/editing-form.tsx'
import { useEditing } from '../../../app/editing/use-editing.ts'
import type { DocumentFile } from '../../../app/files/types.ts'
import { IconAlertTriangle, IconInfoCircle } from '../../../app/icons/icons.ts'
import { CurrencySelect } from '../../../app/inputs/currency-select.tsx'
import { NumberInput } from '../../../app/inputs/number-input.tsx'
import { Failed } from '../../../app/parts/failed.tsx'
import { TableSkeleton } from '../../../app/table/data-table.tsx'
import { readAmount, sumOf, typedAmountOf } from '../../../app/values/money.ts'
import { textAfterLeaving } from '../../../app/values/numbers.ts'
import { PartySelect } from '../../../books/documents/shown/parties.tsx'
import { type BillItemType, everyBillItemTypeQuery } from '../../../settings/bill-item-types/queries.ts'
import type { CarrierInvoice } from '../invoice.ts'
import { invoiceQuery, type SavedInvoice, useCreateInvoice, useUpdateInvoice } from '../queries.ts'
import { contentOf, labels, problemsIn, readLines, type Values, versionOf } from '../values.ts'
import { LinesField } from './lines-field.tsx'

type InvoiceFormProps = {
  /** It is null for a new one. */
  invoice: CarrierInvoice | null
  /** The document that a new one is read from. */
  document: DocumentFile | null
  saved: (id: string) => void
  cancel: () => void
}

/** What a carrier asks for, as it stands on its invoice. */
export function InvoiceForm(props: InvoiceFormProps) {
  const types = useQuery(everyBillItemTypeQuery)
  const organization = useQuery(organizationQuery)
  const error = types.error ?? organization.error
  if (error)
    return (
      <Failed error={error} what="the form" retry={() => void Promise.all([types.refetch(), organization.refetch()])} />
    )
  if (!types.data || !organization.data) return <TableSkeleton />
  return <Form {...props} types={types.data} home={organization.data.home_currency_id} />
}

type FormProps = InvoiceFormProps & { types: readonly BillItemType[]; home: string | null }

function Form({ invoice, document, saved, cancel, types, home }: FormProps) {
  const queryClient = useQueryClient()
  const currencyOf = useCurrencies()
  const money = useMoney()
  const create = useCreateInvoice(document)
  const update = useUpdateInvoice(invoice?.id ?? '')
  const digitsOf = (id: string | null) => currencyOf(id)?.minor_units ?? 2
  const version = (one: CarrierInvoice | null) =>
    versionOf(one, { types, home, digits: digitsOf(one?.currency_id ?? home) })
  const editing = useEditing<Values>({
    start: version(invoice),
    load: async () => version(await queryClient.fetchQuery({ ...invoiceQuery(invoice?.id ?? ''), staleTime: 0 })),
    save: async (changes, revision, all) => {
      const whole = contentOf(all, digitsOf(all.currency_id))
      const { total_amount: _, ...rest } = whole
      // Where no total is entered, and none was stated, the server computes it.
      const isStated = all.total_amount.trim() !== '' || invoice?.is_total_computed === false
      const content = isStated ? whole : rest
      const done = invoice
        ? await update.mutateAsync({
            changes: {
              ...changedIn(content, changes),
              ...(invoice.missing_fields.length > 0 && { missing_fields: [] }),
            },
            revision,
          })
        : await create.mutateAsync({ ...content, source: document ? 'upload' : 'api' })
      tell(done)
      saved(done.id)
      return undefined
    },
    fields: Object.keys(labels),
    validate: (values) => problemsIn(values, digitsOf(values.currency_id)),
  })
  const { form } = editing
  const { values } = form
  const currency = currencyOf(values.currency_id) ?? { minor_units: 2 }
  const read = readLines(values.lines, currency.minor_units)
  const sum = read && sumOf(read.map(({ amount }) => amount))
  return (
    <EditingForm
      editing={editing}
      what="carrier invoice"
      labels={labels}
      show={(field, shown) =>
        field === 'lines' ? `${shown.lines.length} lines` : (shown[field] as string | null) || '–'
      }
      submitLabel="Save and audit"
      cancel={<CancelButton onClick={() => editing.close(cancel)} />}
    >
      <Stack gap="md">
        {invoice && invoice.missing_fields.length > 0 && (
          <Alert variant="default" icon={<IconInfoCircle aria-hidden />} title="Not complete">
            <Text size="sm">
              Enter the {invoice.missing_fields.map((name) => labels[name].toLowerCase()).join(' and the ')} as the
              documents say: the mail does not say it beyond doubt.
            </Text>
          </Alert>
        )}
        <PartySelect
          party="carrier"
          label={labels.partner_carrier_id}
          value={values.partner_carrier_id}
          onChange={(next: string | null) => form.setFieldValue('partner_carrier_id', next)}
          error={form.errors.partner_carrier_id}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput
            label={labels.invoice_number}
            required
            maxLength={255}
            autoComplete="off"
            {...form.getInputProps('invoice_number')}
          />
          <TextInput type="date" label={labels.invoice_date} {...form.getInputProps('invoice_date')} />
          <TextInput
            label={labels.reference_number}
            maxLength={255}
            autoComplete="off"
            {...form.getInputProps('reference_number')}
          />
          <CurrencySelect
            label={labels.currency_id}
            required
            clearable={false}
            value={values.currency_id}
            onChange={(next) => form.setFieldValue('currency_id', next)}
            error={form.errors.currency_id}
          />
        </SimpleGrid>
        <LinesField form={form} types={types} currency={currency} />
        {form.errors.lines && (
          <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} role="alert">
            <Text size="sm">{form.errors.lines}</Text>
          </Alert>
        )}
        <NumberInput
          label={labels.total_amount}
          description={
            sum === null
              ? 'Empty: the sum of the lines.'
              : `Empty: the sum of the lines, ${money(sum, values.currency_id)}.`
          }
          {...form.getInputProps('total_amount')}
          value={values.total_amount}
          shownBack={(typed) =>
            textAfterLeaving(typed, readAmount(typed, currency), (amount) =>
              typedAmountOf(amount, currency.minor_units),
            )
          }
        />
        <Textarea label={labels.notes} autosize minRows={2} maxLength={10_000} {...form.getInputProps('notes')} />
      </Stack>
    </EditingForm>
  )
}

/** The lines and the total go together: one says what the other means. */
function changedIn(content: Partial<ReturnType<typeof contentOf>>, changes: Partial<Values>): Partial<typeof content> {
  const names = Object.keys(changes)
  const sent = names.some((name) => ['lines', 'total_amount', 'currency_id'].includes(name))
    ? [...names, 'lines', 'total_amount']
    : names
  return Object.fromEntries(Object.entries(content).filter(([name]) => sent.includes(name)))
}

function tell({ problem }: SavedInvoice): void {
  if (problem)
    notifications.show({
      title: 'The invoice is saved, but not all that follows was done',
      message: wordsFor(problem),
      color: 'red.9',
    })
}
