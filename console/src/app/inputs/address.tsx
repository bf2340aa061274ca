import { SimpleGrid, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useField } from '../editing/use-field.ts'
import { type Address, addressFields, linesOfAddress } from '../values/address:ts.ts'

const labels: Record<(typeof addressFields)[number], string> = {
  company_name: 'Company',
  contact_name: 'Contact',
  address_1: 'Street and number',
  address_2: 'Suite, dock or floor',
  city: 'City',
  state: 'State or province',
  postal: 'Postal code',
  country: 'Country',
}

export function AddressText({ address }: { address: Address | null }) {
  const lines = linesOfAddress(address)
  if (lines.length === 0) return '–'
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be equal, and their order never changes
    <Text key={index} size="sm" fw={index === 0 ? 600 : 400}>
      {line}
    </Text>
  ))
}

type AddressFieldsProps = {
  // biome-ignore lint/suspicious/noExplicitAny: the form of any record that has an address
  form: UseFormReturnType<any>
  /** The name of the address in the form; its parts are below it. */
  path: string
  legend: string
}

export function AddressFields({ form, path, legend }: AddressFieldsProps) {
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Text component="legend" fw={600} size="sm" mb="xs">
        {legend}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {addressFields.map((field) => (
          <Part key={field} form={form} path={path} field={field} legend={legend} />
        ))}
      </SimpleGrid>
    </fieldset>
  )
}

function Part({ form, path, field, legend }: AddressFieldsProps & { field: (typeof addressFields)[number] }) {
  const { value, set, error } = useField<string>(form, `${path}.${field}`)
  return (
    <TextInput
      label={labels[field]}
      maxLength={500}
      autoComplete="off"
      id={`${path}-${field}`}
      aria-label={`${labels[field]}, ${legend.toLowerCase()}`}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
      error={error}
    />
  )
}
