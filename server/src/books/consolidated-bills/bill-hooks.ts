import type { Context } from '../../platform/context.ts'
import { conflict } from '../../platform/core/refusal.ts'
import type { Bill } from '../bills/kind.ts'
import { lifecycleAfterChange } from '../documents/model/fields/lifecycle.ts'
import type { Parent } from '../documents/model/kind/kind.ts'
import { readExact, readStatement, recordStatement, saveStatement } from './actions.ts'

/** What the statement that bills are on has to do with their changes. */
export const statementHooks: Parent<Bill> & { key: 'consolidated_bill_id' } = {
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
