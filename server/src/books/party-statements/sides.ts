import type { OnAccount } from '../../platform/db/counts/on-account.ts'
import type { Kind } from '../documents/model/kind/kind.ts'
import { bills, credits, invoices } from '../kinds/kinds.ts'

/** Whose statement it is: what is owed, what is credited, and which way the party or we pay. */
export type Side = OnAccount & { documents: Kind; credits: Kind }

export const ofCustomers: Side = {
  party: 'customer_id',
  direction: 'in',
  documents: invoices as unknown as Kind,
  credits: credits as unknown as Kind,
}

export const ofCarriers: Side = {
  party: 'partner_carrier_id',
  direction: 'out',
  documents: bills as unknown as Kind,
  credits: credits as unknown as Kind,
}
