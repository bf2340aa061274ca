import { Box, MultiSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Choice } from '../../app/inputs/choices.ts'
import { NumberInput } from '../../app/inputs/number-input.tsx'
import { Select } from '../../app/inputs/select.tsx'
import { textAfterLeaving } from '../../app/values/numbers.ts'
import { readNumberOf, typedOf } from '../form/draft.ts'
import { ReferenceInput } from '../form/reference-input.tsx'
import { severalProps } from '../form/several-props.ts'
import { comparedShape, type Row } from '../kinds/filter.ts'
import { currencyField, type Kind, type Shape, wordsOf } from '../kinds/kind.ts'

type FilterValueProps = { label: string; kind: Kind; shape: Shape; row: Row; onChange: (value: Row['value']) => void }

/** The input for the value that a field is compared with, by the type of the field. */
export function FilterValue({ label, kind, shape, row: { choice, value }, onChange }: FilterValueProps) {
  const { type, options = [], objectKey = '' } = comparedShape(shape)
  const common = { 'aria-label': label, flex: '2 1 11rem' }
  const text = {
    ...common,
    value: String(value),
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  const choices = options.map((option) => ({ value: option, label: wordsOf(option) }))
  if (choice === 'in')
    return (
      <MultiSelect
        {...common}
        {...severalProps}
        data={choices}
        value={value as string[]}
        onChange={onChange}
        placeholder="Choose values"
      />
    )
  switch (type) {
    case 'boolean':
      return <ChoiceFilter {...common} choices={yesAndNo} value={String(value)} onChange={onChange} />
    case 'select':
    case 'multi-select':
      return <ChoiceFilter {...common} choices={choices} value={String(value)} onChange={onChange} />
    case 'reference':
      return (
        <Box flex={common.flex} miw={0}>
          <ReferenceInput aria-label={label} objectKey={objectKey} value={String(value)} onChange={onChange} />
        </Box>
      )
    case 'date':
    case 'date-time':
      return <TextInput {...text} type="date" max="9999-12-31" />
    case 'money':
    case 'number':
    case 'integer':
      return (
        <NumberFilter
          {...common}
          type={type}
          digits={currencyField(kind) ? 2 : 0}
          value={String(value)}
          onChange={onChange}
        />
      )
    default:
      return <TextInput {...text} />
  }
}

const yesAndNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

type ChoiceFilterProps = {
  choices: readonly Choice[]
  value: string
  onChange: (value: string) => void
  'aria-label': string
  flex: string
}

function ChoiceFilter({ flex, value, onChange, ...props }: ChoiceFilterProps) {
  return (
    <Box flex={flex} miw={0}>
      <Select {...props} value={value || null} onChange={(next) => onChange(next ?? '')} placeholder="Choose" />
    </Box>
  )
}

type NumberFilterProps = {
  type: Shape['type']
  digits: number
  value: string
  onChange: (value: string) => void
  'aria-label': string
  flex: string
}

/** Keeps the typed text and hands on the number. Amounts of any currency are compared, so it takes two decimals, like amounts without a currency. */
function NumberFilter({ type, digits, value, onChange, ...common }: NumberFilterProps) {
  const [typed, setTyped] = useState(value === '' ? '' : typedOf(type, Number(value), digits))
  const read = typed.trim() === '' ? null : readNumberOf(type, typed, digits)
  return (
    <NumberInput
      {...common}
      error={read && 'problem' in read ? read.problem : null}
      value={typed}
      onChange={(next) => {
        const read = readNumberOf(type, next, digits)
        setTyped(next)
        onChange(next.trim() !== '' && read && 'amount' in read ? String(read.amount) : '')
      }}
      shownBack={(text) => (read ? textAfterLeaving(text, read, (amount) => typedOf(type, amount, digits)) : text)}
    />
  )
}
