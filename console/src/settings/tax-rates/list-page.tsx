import { Checkbox } from '@mantine/core'
import type { EditSession } from '../../app/editing/use-editing.ts'
import { textOf } from '../../app/history/field-changes.tsx'
import { IconPercentage } from '../../app/icons/icons.ts'
import { Pairs } from '../../app/inputs/pairs.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { TextField } from '../../app/resource/plain-dialog.tsx'
import { PlainPage } from '../../app/resource/plain-page.tsx'
import type { PlainRecords } from '../../app/resource/plain-records.ts'
import { readPercent, shownPercent, typedPercent } from '../../app/values/percents.ts'
import { type Component, type Content, type TaxRate, taxRateQueries } from './queries.ts'
import { taxRatesPath } from './routes.ts'

type Values = { name: string; percent: string; components: Component[]; active: boolean }

const labels = { name: 'Name', percent: 'Percent', components: 'Components', active: 'Can be given to lines' }

/** A tax, of one percent or made of several. */
const taxRates: PlainRecords<TaxRate, Values, Content> = {
  path: taxRatesPath,
  queries: taxRateQueries,
  icon: IconPercentage,
  words: {
    title: 'Tax rates',
    lead: 'The taxes that lines of bills, invoices and credits can carry.',
    ...{ one: 'tax rate', many: 'tax rates', search: 'Search by name' },
    none: 'Where lines have a tax rate, the tax of the document is calculated from them.',
    noneFound: 'No tax rate has this text in its name.',
    removing:
      'It can no longer be chosen. A tax rate that lines have cannot be deleted; edit it so that it is not offered any more.',
  },
  columns: [
    { label: 'Name', show: ({ name }) => <b>{name}</b> },
    { label: 'Percent', end: true, show: ({ percent }) => shownPercent(percent) },
    { label: 'Components', show: ({ components }) => inWords(components) },
    {
      label: 'State',
      show: ({ active }) => <StateBadge words={active ? 'Active' : 'Not offered'} tone={active ? 'done' : 'quiet'} />,
    },
  ],
  labels,
  valuesOf: (rate) => ({
    name: rate?.name ?? '',
    percent: typedPercent(rate?.percent ?? ''),
    components: rate?.components.map(({ name, percent }) => ({ name, percent: typedPercent(percent) })) ?? [],
    active: rate?.active ?? true,
  }),
  // With components the percent is left out: it is what they come to.
  contentOf: ({ name = '', percent = '', components = [], active = true }) => ({
    name: name.trim(),
    components: components.map((part) => ({
      name: part.name.trim(),
      percent: readPercent(part.percent) ?? part.percent,
    })),
    active,
    ...(components.length === 0 && { percent: readPercent(percent) ?? percent }),
  }),
  sendsWhole: true,
  validate: ({ name, percent, components }) => ({
    ...(!name.trim() && { name: 'Enter a name.' }),
    ...(components.length === 0 && readPercent(percent) === null && { percent: 'Enter a percent like 8.25.' }),
    ...(components.some((part) => !part.name.trim() || readPercent(part.percent) === null) && {
      components: 'Enter a name and a percent for each component.',
    }),
  }),
  Inputs,
  show(field, { [field]: value, components }) {
    if (field === 'components') return components.map(({ name, percent }) => `${name} ${percent} %`).join(', ') || '–'
    return typeof value === 'boolean' ? textOf(value) : (value as string) || '–'
  },
  showRecorded: (value, field) => (field === 'components' ? inWords(value as Component[]) : textOf(value)),
}

export const ListPage = () => <PlainPage records={taxRates} />

function Inputs({ editing }: { editing: EditSession<Values> }) {
  const { form } = editing
  const { components } = form.values
  return (
    <>
      <TextField editing={editing} field="name" label={labels.name} />
      {components.length === 0 && (
        <TextField editing={editing} field="percent" label={labels.percent} required inputMode="decimal" />
      )}
      <Pairs
        legend={labels.components}
        hint="Where several taxes are charged together, such as GST and PST. The percent is their sum."
        one="component"
        halves={[
          { field: 'name', label: 'Name of component', placeholder: 'GST' },
          { field: 'percent', label: 'Percent of component', placeholder: '5', inputMode: 'decimal' },
        ]}
        value={components}
        change={(next) => form.setFieldValue('components', next)}
        error={form.errors.components}
      />
      <Checkbox label="Lines can be given this tax" {...form.getInputProps('active', { type: 'checkbox' })} />
    </>
  )
}

function inWords(components: readonly Component[]): string {
  return components.map(({ name, percent }) => `${name} ${shownPercent(percent)}`).join(' + ') || '–'
}
