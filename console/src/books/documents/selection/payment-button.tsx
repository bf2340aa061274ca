import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconCashBanknote } from '../../../app/icons/icons.ts'
import type { Document } from '../document.ts'
import type { DocumentKind } from '../kind.ts'
import { parties } from '../party.ts'

/** One payment for the selected documents, where all of them are open, of one party and in one currency. */
export function PaymentButton<D extends Document>({
  kind,
  documents,
}: {
  kind: DocumentKind<D>
  documents: readonly D[]
}) {
  const partyOf = (document: D) =>
    (document as unknown as Record<string, string | null>)[parties[kind.party].field] ?? null
  const [first] = documents
  const party = first && partyOf(first)
  const currency = first?.currency_id
  const isPayable = (document: D) =>
    document.status_id !== 'draft' &&
    !document.voided_at &&
    document.amount_due > 0 &&
    document.currency_id === currency &&
    partyOf(document) === party
  if (!party || !currency || !documents.every(isPayable)) return null
  const search = { direction: kind.party === 'carrier' ? 'out' : 'in', party, currency }
  // Behind the #, which is not sent: with some hundred ids the address would be longer than a server takes when the page is loaded again.
  const hash = documents.map(({ id }) => id).join(',')
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconCashBanknote size={15} aria-hidden />}
      renderRoot={(props) => <Link to="/payments/new" search={search} hash={hash} {...props} />}
    >
      Record one payment
    </Button>
  )
}
