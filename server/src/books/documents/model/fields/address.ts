import Type, { type Static } from 'typebox'
import { named } from '../../../../platform/core/schema/names.ts'
import { nullable } from '../../../../platform/core/schema/schema.ts'

const line = (description: string, example: string) =>
  Type.Optional(nullable(Type.String({ maxLength: 500, description, examples: [example] })))

/** One shape for who is billed and who is paid. */
export const Address = named(
  'Address',
  Type.Object(
    {
      company_name: line('Company.', 'Cascade Carriers LLC'),
      contact_name: line('Person.', 'Dana Whitfield'),
      address_1: line('Street and number.', '4410 Industrial Way'),
      address_2: line('Suite, dock, floor.', 'Suite 200'),
      city: line('City.', 'Portland'),
      state: line('State or province.', 'OR'),
      postal: line('Postal code.', '97210'),
      country: line('Country.', 'US'),
    },
    {
      examples: [
        {
          company_name: 'Cascade Carriers LLC',
          contact_name: 'Dana Whitfield',
          address_1: '4410 Industrial Way',
          city: 'Portland',
          state: 'OR',
          postal: '97210',
          country: 'US',
        },
      ],
    },
  ),
)
export type Address = Static<typeof Address>

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

/** Fields that are sent apply, null clears; an address without any content is none. */
export function mergeAddress(current: Address | null, sent: Address | null): Address | null {
  if (sent === null) return null
  const merged = Object.fromEntries(
    addressFields.map((field) => [field, sent[field] !== undefined ? sent[field] : (current?.[field] ?? null)]),
  ) as Address
  return addressFields.every((field) => !merged[field]) ? null : merged
}
