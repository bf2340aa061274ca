import { PartyLink, PartyName } from '../../documents/shown/parties.tsx'
import type { Payment } from '../queries.ts'

type Parties = Pick<Payment, 'partner_carrier_id' | 'customer_id'>

/** Whom the money went to, or came from. */
export function PayerOrPayee({
  payment: { partner_carrier_id, customer_id },
  isLink = false,
}: {
  payment: Parties
  isLink?: boolean
}) {
  const [party, id] = partner_carrier_id
    ? (['carrier', partner_carrier_id] as const)
    : (['customer', customer_id] as const)
  if (!id) return '–'
  return isLink ? <PartyLink party={party} id={id} inText /> : <PartyName party={party} id={id} />
}
