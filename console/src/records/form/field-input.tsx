import { MultiSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { currenciesQuery } from '../../app/api/currencies.ts'
import { NumberInput } from '../../app/inputs/number-input.tsx'
import { Select, type SelectProps } from '../../app/inputs/select.tsx'
import { momentTyped, zoneNameAt } from '../../app/values/dates.ts'
import { textAfterLeaving } from '../../app/values/numbers.ts'
import type { Money } from '../kinds/amounts.ts'
import { addressParts, type Field, wordsOf } from '../kinds/kind.ts'
import { type Draft, type DraftFields, type Faults, readNumberOf, typedOf } from './draft.ts'
import { EntriesInput } from './entries-input.tsx'
import { RecordInput } from './record-input.tsx'
import { ReferenceInput } from './reference-input.tsx'
import { severalProps } from './several-props.ts'

export type InputProps = {
  field: Field
  /** The path of the value, such as `pickup.city`; errors are found by it. */
  path: string
  value: Draft
  onChange: (next: Draft) => void
  faults: Faults
  money: Money
  /** Without a visible label, as in a list of values. */
  unlabelled?: boolean
  /** Of a time: the time zone in which it is typed, where that is not the browser's. */
  zone?: string | undefined
}

/** The input for a field, by its type. */
export function FieldInput({ field, path, value, onChange, faults, money, unlabelled = false, zone }: InputProps) {
  const { type, name, description, required = false, options = [], items, objectKey = '' } = field
  const labelling = unlabelled ? { 'aria-label': name } : { label: name, description, required }
  const common = { ...labelling, error: faults[path], name: path, inputWrapperOrder: below }
  const text = {
    ...common,
    value: String(value),
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  const choices = options.map((option) => ({ value: option, label: wordsOf(option) }))
  const choice = {
    ...common,
    value: String(value) || null,
    onChange: (next: string | null) => onChange(next ?? ''),
    clearable: !required,
  }
  switch (type) {
    case 'boolean':
      return <Select {...choice} choices={yesAndNo} />
    case 'select':
      return <Select {...choice} choices={choices} />
    case 'multi-select':
      return (
        <MultiSelect
          {...common}
          value={value as string[]}
          onChange={onChange}
          data={choices}
          {...severalProps}
          {...clearing(name)}
        />
      )
    case 'reference':
      return <ReferenceInput {...common} objectKey={objectKey} value={String(value)} onChange={onChange} />
    case 'date':
      return <TextInput {...text} type="date" max="9999-12-31" />
    case 'date-time':
      return (
        <TextInput
          {...text}
          {...(zone &&
            !unlabelled && {
              description: [description, `By the clock in ${zoneNameOf(zone, String(value))}.`]
                .filter(Boolean)
                .join(' '),
            })}
          type="datetime-local"
          step={String(value).length > 16 ? 1 : 60}
          max="9999-12-31T23:59"
        />
      )
    case 'number':
    case 'integer':
    case 'money':
      return (
        <NumberInput
          {...common}
          {...(type === 'money' && !unlabelled && { description: money.note })}
          inputMode={type === 'integer' ? 'numeric' : 'decimal'}
          value={String(value)}
          onChange={onChange}
          shownBack={(typed) => {
            const read = readNumberOf(type, typed, money.digits)
            return read ? textAfterLeaving(typed, read, (amount) => typedOf(type, amount, money.digits)) : typed
          }}
        />
      )
    case 'email':
      return <TextInput {...text} type="email" autoComplete="off" />
    case 'address':
      return <RecordInput fields={addressParts} value={value as DraftFields} {...{ path, onChange, faults, money }} />
    case 'list':
      if (items && 'type' in items && items.type === 'text')
        return (
          <TagsInput
            {...common}
            value={value as string[]}
            onChange={onChange}
            splitChars={[]}
            allowDuplicates
            placeholder="Type a text and press Enter"
            {...clearing(name)}
          />
        )
      return <EntriesInput {...{ field, path, value: value as readonly Draft[], onChange, faults, money }} />
    default:
      if (field.format === 'currency') return <CurrencyInput {...choice} />
      if (field.format === 'time-zone')
        return <Select {...choice} choices={zoneChoices()} nothingFoundMessage="No time zone found" />
      if (long.includes(path)) return <Textarea {...text} rows={3} />
      return <TextInput {...text} autoComplete="off" />
  }
}

/** In summer it has another name than in winter. */
function zoneNameOf(zone: string, typed: string): string {
  return zoneNameAt(zone, new Date(momentTyped(typed, zone) ?? Date.now()))
}

let zoneList: { value: string; label: string }[] | undefined

function zoneChoices() {
  zoneList ??= [...Intl.supportedValuesOf('timeZone'), 'UTC'].map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  }))
  return zoneList
}

const yesAndNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]
const long = ['notes', 'description']
/** The description stands below the input, so that inputs side by side stay in line. */
const below: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'error', 'description']

function clearing(name: string) {
  return { clearable: true, clearButtonProps: { 'aria-label': `Clear ${name}` } }
}

function CurrencyInput(props: Omit<SelectProps, 'choices'>) {
  const { data = [] } = useQuery(currenciesQuery)
  return (
    <Select
      {...props}
      choices={data.map(({ id, description }) => ({ value: id, label: description }))}
      nothingFoundMessage="No currency found"
    />
  )
}
