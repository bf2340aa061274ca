import { Box, MultiSelect, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { decimalOf } from '../parts/money.ts'
import { amountOf } from './amount-of.ts'
import { comparedAs, type Row } from './filter.ts'
import { currencyField, type Kind, type Shape, wordsOf } from './kind.ts'
import { ReferenceInput } from './reference-input.tsx'

type FilterValueProps = { label: string; kind: Kind; shape: Shape; row: Row; onChange: (value: Row['value']) => void }

/** The input for the value that a field is compared with, by the type of the field. */
export function FilterValue({ label, kind, shape, row: { choice, value }, onChange }: FilterValueProps) {
  const { type, options = [], objectKey = '' } = comparedAs(shape)
  const common = { 'aria-label': label, flex: '2 1 11rem' }
  const text = { ...common, value: String(value), onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value) }
  const choices = options.map((option) => ({ value: option, label: wordsOf(option) }))
  if (choice === 'in') return <MultiSelect {...common} data={choices} value={value as string[]} onChange={onChange} placeholder="Choose values" />
  switch (type) {
    case 'boolean':
      return <Select {...common} data={yesAndNo} value={String(value) || null} onChange={(next) => onChange(next ?? '')} placeholder="Choose" />
    case 'select':
    case 'multi-select':
      return <Select {...common} data={choices} searchable value={String(value) || null} onChange={(next) => onChange(next ?? '')} placeholder="Choose" />
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
      return <AmountInput {...common} digits={currencyField(kind) ? 2 : 0} value={String(value)} onChange={onChange} />
    case 'number':
    case 'integer':
      return <TextInput {...text} inputMode="decimal" error={value !== '' && Number.isNaN(Number(value)) ? 'Enter a number, such as 18.5.' : null} />
    default:
      return <TextInput {...text} />
  }
}

const yesAndNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

type AmountInputProps = { digits: number; value: string; onChange: (value: string) => void; 'aria-label': string; flex: string }

/** A filter compares amounts of any currency, so it takes two decimals, like amounts without a currency. */
function AmountInput({ digits, value, onChange, ...common }: AmountInputProps) {
  const [typed, setTyped] = useState(value === '' ? '' : decimalOf(Number(value), digits))
  const wrong = typed.trim() !== '' && amountOf(typed, digits) === null
  return (
    <TextInput
      {...common}
      inputMode="decimal"
      placeholder={decimalOf(185_000, digits)}
      error={wrong ? `Enter an amount, such as ${decimalOf(185_000, digits)}.` : null}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onChange(String(amountOf(event.currentTarget.value, digits) ?? ''))
      }}
    />
  )
}
