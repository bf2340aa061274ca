import type { Schemas } from '@lading/sdk'
import type { Address } from '../../app/values/address:ts.ts'

/** The other side of a document: a carrier is paid, a customer pays. */
export type Party = 'carrier' | 'customer'

export type Carrier = Schemas['PartnerCarrier']
export type Customer = Schemas['Customer']

/** The field of a document that names its party, what the pages call it, and the object that it is. */
export const parties = {
  carrier: { field: 'partner_carrier_id', label: 'Carrier', objectKey: 'partner' },
  customer: { field: 'customer_id', label: 'Customer', objectKey: 'customer' },
} as const satisfies Record<Party, { field: string; label: string; objectKey: string }>

type Own = Pick<Carrier, 'name' | 'contact_name' | 'address' | 'city' | 'state' | 'postal' | 'country'>

/** Where a carrier is paid, and where a customer gets invoices: an address for that, or its own. */
export function billingAddressOf(
  party: Own & { remit_to?: Address | null; billing_address?: Address | null },
): Address {
  const { name, contact_name, address, city, state, postal, country } = party
  return (
    party.remit_to ??
    party.billing_address ??
    ({ company_name: name, contact_name, address_1: address, city, state, postal, country } as Address)
  )
}
