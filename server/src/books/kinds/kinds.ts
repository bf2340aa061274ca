import type { Tally } from '../../platform/db/counts/tallies.ts'
import { approving } from '../approvals/judging/judging.ts'
import { duplicatesOfBills } from '../bills/duplicates/checking.ts'
import { type Bill, bill } from '../bills/kind.ts'
import { statementHooks } from '../consolidated-bills/bill-hooks.ts'
import { type Credit, credit } from '../credits/kind.ts'
import { requireNoWriteOff } from '../credits/write-offs.ts'
import { type Kind, withApprovals, withDuplicates, withParent, withPayments } from '../documents/model/kind/kind.ts'
import { tallies } from '../documents/search/tallies-sql.ts'
import { type Invoice, invoice } from '../invoices/kind.ts'
import { paidBy } from '../payments/recording/recording.ts'

// Here kinds, payments and approvals are put together. Documents know only the hooks that a kind brings, and those of payments, approvals and
// statements get the kind that they work for; all that deals with documents is above and takes them from here.

/** Bills, which statements gather, people approve and payments settle, and of which carriers sometimes send one twice. */
export const bills = withApprovals(
  withPayments(
    withDuplicates(withParent(bill, statementHooks), duplicatesOfBills),
    paidBy<Bill>({
      target: 'bill_id',
      directionOf: () => 'out',
      partyOf: ({ partner_carrier_id }) => ({ partner_carrier_id, customer_id: null }),
    }),
  ),
  approving,
)

/** Invoices, which payments of customers settle. */
export const invoices = withPayments(
  invoice,
  paidBy<Invoice>({
    target: 'invoice_id',
    directionOf: () => 'in',
    partyOf: ({ customer_id }) => ({ partner_carrier_id: null, customer_id }),
  }),
)

const paying = paidBy<Credit>({
  target: 'to_credit_id',
  directionOf: ({ direction }) => (direction === 'out' ? 'in' : 'out'),
  partyOf: ({ partner_carrier_id, customer_id }) => ({ partner_carrier_id, customer_id }),
})

/** Credits, which are applied to other documents, and paid back by payments that go the other way; but for those that write off an invoice. */
export const credits = withPayments(credit, {
  ...paying,
  async prepare(ctx, kind, changes, how) {
    const paid = changes.filter(({ before, next }) => next.amount_paid !== before.amount_paid)
    await requireNoWriteOff(
      ctx,
      paid.map(({ before }) => before.id),
    )
    return paying.prepare(ctx, kind, changes, how)
  },
  async listStanding(ctx, kind, document) {
    await requireNoWriteOff(ctx, [document.id])
    return paying.listStanding(ctx, kind, document)
  },
})

/** Every kind of document. A new one is a folder with its description, a migration, and a line here. */
export const documentKinds: readonly Kind[] = [bills, invoices, credits]

/** The counts that searches of documents answer their totals from. */
export const documentTallies: readonly Tally[] = documentKinds.flatMap((kind) => Object.values(tallies(kind)))

export function findDocumentTally(name: string): Tally | undefined {
  return documentTallies.find((tally) => tally.name === name)
}
