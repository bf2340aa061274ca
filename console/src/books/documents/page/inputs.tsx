import { Checkbox, Radio, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { useCurrency } from '../../../app/api/currencies.ts'
import { useField } from '../../../app/editing/use-field.ts'
import { AddressFields } from '../../../app/inputs/address.tsx'
import { CurrencySelect } from '../../../app/inputs/currency-select.tsx'
import { NumberInput } from '../../../app/inputs/number-input.tsx'
import { Folded } from '../../../app/parts/folded.tsx'
import { linesOfAddress } from '../../../app/values/address:ts.ts'
import { readAmount, typedAmountOf } from '../../../app/values/money.ts'
import { textAfterLeaving } from '../../../app/values/numbers.ts'
import { PayTermSelect } from '../../../settings/pay-terms/pay-term-select.tsx'
import type { NamedField, Situation } from '../field.ts'
import { PartySelect } from '../shown/parties.tsx'
import type { FormValues } from '../values.ts'

type InputsProps = {
  // biome-ignore lint/suspicious/noExplicitAny: the form of any document
  form: UseFormReturnType<any>
  fields: readonly NamedField[]
  situation: Situation<unknown>
  /** How many stand side by side on a wide screen. */
  columns?: number
  onChange?: (name: string, value: unknown) => void
}

/** The inputs of a form, in the order of its fields. Addresses and long texts need the width, so they stand below the others; addresses are seldom typed, so they are folded. */
export function Inputs({ fields, columns = 3, ...props }: InputsProps) {
  const offered = fields.filter(({ input }) => !input?.hidden?.(props.situation as never))
  const [addresses, texts] = [
    offered.filter(({ kind }) => kind === 'address'),
    offered.filter(({ kind }) => kind === 'longText'),
  ]
  const grid = offered.filter(({ kind, input }) => kind !== 'address' && kind !== 'longText' && !input?.under)
  const below = (box: string) => offered.filter(({ input }) => input?.under === box)
  return (
    <Stack gap="md">
      {grid.length > 0 && (
        <SimpleGrid cols={{ base: 1, xs: 2, lg: columns }} spacing="sm">
          {grid.map((field) => (
            <OneInput key={field.name} field={field} {...props}>
              {below(field.name).map((inner) => (
                <OneInput key={inner.name} field={inner} {...props} />
              ))}
            </OneInput>
          ))}
        </SimpleGrid>
      )}
      {texts.map((field) => (
        <OneInput key={field.name} field={field} {...props} />
      ))}
      {addresses.length > 0 && <Addresses form={props.form} fields={addresses} />}
    </Stack>
  )
}

/** Closed, it says whose addresses they are; it opens where the server finds one wrong. */
function Addresses({ form, fields }: Pick<InputsProps, 'form' | 'fields'>) {
  const firstLine = (name: string) => linesOfAddress(form.values[name]).slice(0, 1).join('') || 'none'
  const isWrong = Object.keys(form.errors).some((path) =>
    fields.some(({ name }) => path === name || path.startsWith(`${name}.`)),
  )
  return (
    <Folded
      title="Addresses"
      summary={fields.map(({ name, label }) => `${label}: ${firstLine(name)}`).join(' · ')}
      mustOpen={isWrong}
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {fields.map(({ name, label }) => (
          <AddressFields key={name} form={form} path={name} legend={label} />
        ))}
      </SimpleGrid>
    </Folded>
  )
}

/** The description stands below the input, so that inputs side by side stay in line. */
const descriptionBelow: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

function OneInput({
  field,
  form,
  situation,
  onChange,
  children,
}: Omit<InputsProps, 'fields' | 'columns'> & { field: NamedField; children?: ReactNode }) {
  const { name, kind, label, input, options = {} } = field
  const { value, set: put, error } = useField<FormValues[string]>(form, name)
  const chosen = useField<string | null | undefined>(form, 'currency_id').value
  const currency = useCurrency(chosen ?? (situation.record as { currency_id?: string } | null)?.currency_id ?? null)
  const fixed = input?.fixed?.(situation as never) ?? null
  const description = fixed ?? (value ? undefined : input?.hintWhenEmpty)
  const set = (next: FormValues[string]) => {
    put(next)
    onChange?.(name, next)
  }
  const common = {
    label,
    required: input?.required ?? false,
    description,
    error,
    inputWrapperOrder: descriptionBelow,
    ...(input?.placeholder && { placeholder: input.placeholder }),
  }
  const onText = (event: { currentTarget: { value: string } }) => set(event.currentTarget.value)
  const text = { ...common, autoComplete: 'off', ...readOnlyIf(fixed), value: value as string, onChange: onText }
  const select = {
    ...common,
    value: value as string | null,
    onChange: (next: string | null) => set(next),
    ...readOnlyIf(fixed),
    clearable: fixed === null,
  }
  switch (kind) {
    case 'carrier':
    case 'customer':
      return <PartySelect party={kind} {...select} />
    case 'currency':
      return <CurrencySelect {...select} />
    case 'payTerm':
      return <PayTermSelect {...select} />
    case 'day':
    case 'dueDay':
    case 'period':
      return <TextInput {...text} type="date" />
    case 'email':
      return <TextInput {...text} inputMode="email" maxLength={1000} />
    case 'longText':
      return <Textarea {...text} maxLength={10_000} autosize minRows={2} maxRows={12} />
    case 'money':
      return currency ? (
        <NumberInput
          {...text}
          mt="xs"
          label={`${label}, ${currency.iso_4217}`}
          onChange={set}
          shownBack={(typed) =>
            textAfterLeaving(typed, readAmount(typed, currency), (amount) =>
              typedAmountOf(amount, currency.minor_units),
            )
          }
        />
      ) : (
        <TextInput {...text} mt="xs" disabled description="Choose a currency first." />
      )
    case 'choice':
      return (
        <Radio.Group label={label} value={value as string} onChange={set} error={error}>
          <Stack gap="xs" mt="xs">
            {Object.entries(options).map(([option, words]) => (
              <Radio key={option} value={option} label={words} />
            ))}
          </Stack>
        </Radio.Group>
      )
    case 'boolean':
      return (
        <div>
          <Checkbox
            mt={{ base: 0, xs: 30 }}
            label={label}
            checked={value === true}
            onChange={(event) => set(event.currentTarget.checked)}
          />
          {value === true && children}
        </div>
      )
    default:
      return <TextInput {...text} maxLength={255} />
  }
}

/** Not disabled, which would be too pale to read: a fixed value is still worth reading. */
function readOnlyIf(why: string | null) {
  return why === null ? {} : { readOnly: true, variant: 'filled' }
}
