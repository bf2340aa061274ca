import type { Schemas } from '@lading/sdk'
import { SimpleGrid, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'

export type Address = NonNullable<Schemas['Bill']['remit_to']>
export type AddressValues = Record<(typeof addressFields)[number], string>

export const addressFields = ['company_name', 'contact_name', 'address_1', 'address_2', 'city', 'state', 'postal', 'country'] as const

const words: Record<(typeof addressFields)[number], string> = {
  company_name: 'Company',
  contact_name: 'Contact',
  address_1: 'Street and number',
  address_2: 'Suite, dock, floor',
  city: 'City',
  state: 'State or province',
  postal: 'Postal code',
  country: 'Country',
}

export function addressValuesOf(address: Address | null): AddressValues {
  return Object.fromEntries(addressFields.map((field) => [field, address?.[field] ?? ''])) as AddressValues
}

/** What is left empty is cleared; an address without anything in it is none. */
export function addressIn(values: AddressValues): Address | null {
  const trimmed = addressFields.map((field) => [field, values[field].trim() || null] as const)
  return trimmed.some(([, value]) => value) ? (Object.fromEntries(trimmed) as Address) : null
}

export function linesOfAddress(address: Address | null): string[] {
  if (!address) return []
  const place = [address.city, address.state, address.postal].filter(Boolean).join(', ')
  return [address.company_name, address.contact_name, address.address_1, address.address_2, place, address.country].filter((line) => !!line) as string[]
}

export function AddressText({ address }: { address: Address | null }) {
  const lines = linesOfAddress(address)
  if (lines.length === 0) return '–'
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be alike, and none moves
    <Text key={index} size="sm" fw={index === 0 ? 600 : 400}>
      {line}
    </Text>
  ))
}

/** `path` is the name of the address in the form; its parts are below it. */
// biome-ignore lint/suspicious/noExplicitAny: the form of any record that has an address
function AddressFields({ form, path, legend }: { form: UseFormReturnType<any>; path: string; legend: string }) {
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Text component="legend" fw={600} size="sm" mb="xs">
        {legend}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {addressFields.map((field) => (
          <TextInput
            key={field}
            label={words[field]}
            maxLength={500}
            autoComplete="off"
            id={`${path}-${field}`}
            aria-label={`${words[field]}, ${legend.toLowerCase()}`}
            {...form.getInputProps(`${path}.${field}`)}
          />
        ))}
      </SimpleGrid>
    </fieldset>
  )
}

/** Where a bill or a statement goes, and what is written on it. */
// biome-ignore lint/suspicious/noExplicitAny: the form of any record that has both addresses
export function LetterFields({ form, notes }: { form: UseFormReturnType<any>; notes: object }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <AddressFields form={form} path="remit_to" legend="Remit to" />
        <AddressFields form={form} path="bill_to" legend="Bill to" />
      </SimpleGrid>
      <Textarea {...notes} maxLength={10_000} autosize minRows={2} maxRows={12} />
    </>
  )
}
