import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import type { ExpectedRevision, Revised } from '../../platform/core/schema/revisions.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { approving } from '../approvals/judging/judging.ts'
import { duplicatesOfBills } from '../bills/duplicates/checking.ts'
import { type Bill, type BillEdit, bill, type NewBill } from '../bills/kind.ts'
import { readExact, readStatement, recordStatement, saveStatement } from '../consolidated-bills/actions.ts'
import { lifecycleAfterChange, type Move, type MoveInput } from '../documents/model/fields/lifecycle.ts'
import { withApprovals, withDuplicates, withParent, withPayments } from '../documents/model/kind/kind.ts'
import type { PaymentMeans } from '../documents/model/kind/paying.ts'
import {
  createDocument,
  moveDocument,
  readBack,
  type UpdateResult,
  updateDocument,
} from '../documents/writing/actions.ts'
import { paidBy } from '../payments/recording/recording.ts'

/** What the statement that bills are on has to do with their changes. */
const gathered = withParent(bill, {
  table: 'consolidated_bills',
  key: 'consolidated_bill_id',
  constraint: 'bill_statement',
  broken: boundToStatement,
  checkEdit(before, next) {
    if (before.currency_id !== next.currency_id || before.partner_carrier_id !== next.partner_carrier_id)
      throw boundToStatement()
  },
  beforeMove: requireStatementAllows,
  afterChange: updateStatement,
})

/** Bills, which statements gather, people approve and payments settle, and of which carriers sometimes send one twice. */
export const bills = withApprovals(
  withPayments(
    withDuplicates(gathered, duplicatesOfBills),
    paidBy<Bill>({
      target: 'bill_id',
      directionOf: () => 'out',
      partyOf: ({ partner_carrier_id }) => ({ partner_carrier_id, customer_id: null }),
    }),
  ),
  approving,
)

export function createBill(ctx: Context, input: NewBill): Promise<UpdateResult & { id: string }> {
  return createDocument(ctx, bills, input)
}

export function updateBill(
  ctx: Context,
  reference: Reference,
  input: BillEdit,
  expected: ExpectedRevision,
): Promise<UpdateResult> {
  return updateDocument(ctx, bills, reference, input, expected)
}

export function moveBill(
  ctx: Context,
  reference: Reference,
  move: Move,
  input: MoveInput & PaymentMeans,
  expected: ExpectedRevision,
): Promise<Revised> {
  return moveDocument(ctx, bills, reference, move, input, expected)
}

export function presentBill(ctx: Context, id: string): Promise<Revised> {
  return readBack(ctx, bills, id)
}

function boundToStatement() {
  return conflict(
    'on_a_statement',
    'The bill is on a statement of one payee in one currency, so neither can change. Take it off the statement first.',
  )
}

/** What a statement has settled is undone through the statement alone. */
async function requireStatementAllows(ctx: Context, before: Bill, next: Bill): Promise<void> {
  if (next.status_id === 'draft')
    throw conflict('on_a_statement', 'The bill is on a statement. Take it off before it becomes a draft again.')
  if (before.status_id !== 'paid') return
  const { status_id } = await readStatement(ctx, before.consolidated_bill_id as string)
  if (status_id === 'paid')
    throw conflict('statement_is_paid', 'The bill was paid with its statement. Reopen the statement first.')
}

const sums = ['sub_total_amount', 'tax_amount', 'total_amount'] as const

/**
 * A statement shows its bills, so its revision rises with a change of one of them; where the content changed after sending, the statement becomes
 * edited too. The caller has the statement locked.
 */
async function updateStatement(
  ctx: Context,
  { before, after, contentChanged }: { before: Bill; after: Bill; contentChanged: boolean },
): Promise<void> {
  const statement = await readExact(ctx, before.consolidated_bill_id as string)
  await saveStatement(ctx, { ...statement, ...(contentChanged && lifecycleAfterChange(statement, 'statement')) }, null)
  const previousSums = sums.map((field) => [
    field,
    Number(BigInt(statement[field]) - BigInt(after[field]) + BigInt(before[field])),
  ])
  await recordStatement(ctx, { ...statement, ...Object.fromEntries(previousSums) })
}
