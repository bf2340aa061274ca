import type { Schemas } from '@lading/sdk'

export type Address = NonNullable<Schemas['Bill']['remit_to']>
export type AddressValues = Record<(typeof addressFields)[number], string>

export const addressFields = [
  'company_name',
  'contact_name',
  'address_1',
  'address_2',
  'city',
  'state',
  'postal',
  'country',
] as const

export function addressValuesOf(address: Address | null): AddressValues {
  return Object.fromEntries(addressFields.map((field) => [field, address?.[field] ?? ''])) as AddressValues
}

/** An empty part is cleared; an address whose parts are all empty is null. */
export function addressIn(values: AddressValues): Address | null {
  const trimmed = addressFields.map((field) => [field, values[field].trim() || null] as const)
  return trimmed.some(([, value]) => value) ? (Object.fromEntries(trimmed) as Address) : null
}

export function linesOfAddress(address: Address | null): string[] {
  if (!address) return []
  const place = [address.city, address.state, address.postal].filter(Boolean).join(', ')
  return [
    address.company_name,
    address.contact_name,
    address.address_1,
    address.address_2,
    place,
    address.country,
  ].filter((line) => !!line) as string[]
}

export function payeeOf({ remit_to }: { remit_to: Address | null }): string | null {
  return remit_to?.company_name ?? remit_to?.contact_name ?? null
}
