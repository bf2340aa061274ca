import type { EditSession } from '../../app/editing/use-editing.ts'
import { textOf } from '../../app/history/field-changes.tsx'
import { IconCalendarDue } from '../../app/icons/icons.ts'
import { NumberInput } from '../../app/inputs/number-input.tsx'
import { Pairs } from '../../app/inputs/pairs.tsx'
import { When } from '../../app/parts/when.tsx'
import { TextField } from '../../app/resource/plain-dialog.tsx'
import { PlainPage } from '../../app/resource/plain-page.tsx'
import type { PlainRecords } from '../../app/resource/plain-records.ts'
import { readQuantity, textAfterLeaving } from '../../app/values/numbers.ts'
import { type Content, type Mappings, type PayTerm, payTermQueries } from './queries.ts'
import { payTermsPath } from './routes.ts'

type Mapping = { connector_id: string; vendor_pay_term_id: string }
type Values = { name: string; number_of_days: string; connector_mappings: Mapping[] }

const labels = { name: 'Name', number_of_days: 'Days', connector_mappings: 'Ids in other systems' }

const payTerms: PlainRecords<PayTerm, Values, Content> = {
  path: payTermsPath,
  queries: payTermQueries,
  icon: IconCalendarDue,
  words: {
    title: 'Pay terms',
    lead: 'The number of days after the bill date when a bill is due.',
    ...{ one: 'pay term', many: 'pay terms', search: 'Search by name' },
    none: 'The due date of a bill is calculated from its pay term.',
    noneFound: 'No pay term has this text in its name.',
    removing: 'It can no longer be chosen. A pay term that bills or statements use cannot be deleted.',
  },
  columns: [
    { label: 'Name', show: ({ name }) => <b>{name}</b> },
    { label: 'Days', end: true, show: ({ number_of_days }) => number_of_days },
    { label: 'In other systems', show: ({ connector_mappings }) => inWords(Object.values(connector_mappings)) },
    { label: 'Changed', show: ({ updated_at }) => <When at={updated_at} /> },
  ],
  labels,
  valuesOf: (term) => ({
    name: term?.name ?? '',
    number_of_days: term ? String(term.number_of_days) : '',
    connector_mappings: Object.values(term?.connector_mappings ?? {}).map(({ connector_id, vendor_pay_term_id }) => ({
      connector_id,
      vendor_pay_term_id,
    })),
  }),
  contentOf({ name, number_of_days, connector_mappings }) {
    const days = number_of_days === undefined ? null : readQuantity(number_of_days)
    return {
      ...(name !== undefined && { name: name.trim() }),
      ...(days && 'amount' in days && { number_of_days: days.amount }),
      ...(connector_mappings && { connector_mappings: mappingsOf(connector_mappings) }),
    }
  },
  validate: ({ name, number_of_days }) => {
    const days = readQuantity(number_of_days)
    return {
      ...(!name.trim() && { name: 'Enter a name.' }),
      ...(('problem' in days || days.amount < 0) && { number_of_days: 'Enter a whole number of days, 0 or more.' }),
    }
  },
  Inputs,
  show: (field, values) => (field === 'connector_mappings' ? inWords(values.connector_mappings) : values[field] || '–'),
  showRecorded: (value, field) =>
    field === 'connector_mappings' ? inWords(Object.values(value as Mappings)) : textOf(value),
}

export const ListPage = () => <PlainPage records={payTerms} />

function Inputs({ editing }: { editing: EditSession<Values> }) {
  const { form } = editing
  return (
    <>
      <TextField editing={editing} field="name" label={labels.name} />
      <NumberInput
        label={labels.number_of_days}
        required
        inputMode="numeric"
        {...form.getInputProps('number_of_days')}
        value={form.values.number_of_days}
        shownBack={(typed) => textAfterLeaving(typed, readQuantity(typed), String)}
      />
      <Pairs
        legend={labels.connector_mappings}
        one="connector"
        halves={[
          { field: 'connector_id', label: 'Connector', placeholder: 'quickbooks' },
          { field: 'vendor_pay_term_id', label: 'Id at connector', placeholder: 'NET30' },
        ]}
        value={form.values.connector_mappings}
        change={(next) => form.setFieldValue('connector_mappings', next)}
        error={form.errors.connector_mappings}
      />
    </>
  )
}

/** Without the rows that were left empty. */
function mappingsOf(rows: readonly Mapping[]): Mappings {
  const trimmed = rows.map((row) => [row.connector_id.trim(), row.vendor_pay_term_id.trim()] as const)
  const filled = trimmed.filter(([connector_id, vendor_pay_term_id]) => connector_id || vendor_pay_term_id)
  return Object.fromEntries(
    filled.map(([connector_id, vendor_pay_term_id]) => [connector_id, { connector_id, vendor_pay_term_id }]),
  )
}

function inWords(mappings: readonly Mapping[]): string {
  return (
    mappings.map(({ connector_id, vendor_pay_term_id }) => `${connector_id}: ${vendor_pay_term_id}`).join(', ') || '–'
  )
}
