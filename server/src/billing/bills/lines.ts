import { type Context, transaction } from '../../context.ts'
import type { Reference } from '../../core/ids.ts'
import { sum } from '../../core/money.ts'
import { conflict, invalid, notFound } from '../../core/refusal.ts'
import type { Expected } from '../../core/revisions.ts'
import { touchStatement } from '../consolidated-bills/touch.ts'
import { touch } from '../lifecycle.ts'
import { lock, recordChange } from './actions.ts'
import { type BillItem, editLine, type LineEdit, type NewLine, priced } from './line-model.ts'
import { deleteLine, findLine, insertLines, linesOf, saveLine, saveOrder } from './line-store.ts'
import type { Bill } from './model.ts'
import { readLocked, saveBill } from './store.ts'

/** The JSON text of the line and of the bill whose sums it changed. */
export type WithBill = { line: string | null; bill: string; revision: number; id: string }

const mostLines = 1000

export function addLine(ctx: Context, reference: Reference, input: NewLine, expected: Expected): Promise<WithBill> {
  return change(ctx, reference, expected, async (ctx, bill, lines) => {
    if (lines.length >= mostLines) throw conflict('too_many_lines', `A bill has at most ${mostLines} lines.`)
    const [id] = await insertLines(ctx, bill.id, [priced(input)])
    return id as string
  })
}

export function changeLine(ctx: Context, reference: Reference, id: string, input: LineEdit, expected: Expected): Promise<WithBill> {
  return change(
    ctx,
    reference,
    expected,
    async (ctx, _bill, lines) => {
      const { next, changed } = editLine(lineAmong(lines, id), input)
      if (!changed) return null
      await saveLine(ctx, id, next)
      return id
    },
    id,
  )
}

export function removeLine(ctx: Context, reference: Reference, id: string, expected: Expected): Promise<WithBill> {
  return change(ctx, reference, expected, async (ctx, bill, lines) => {
    await deleteLine(ctx, bill.id, lineAmong(lines, id))
    return id
  })
}

export function reorderLines(ctx: Context, reference: Reference, ids: readonly string[], expected: Expected): Promise<WithBill> {
  return change(ctx, reference, expected, async (ctx, bill, lines) => {
    const wanted = ids.map((id) => id.toLowerCase())
    const there = new Set(lines.map(({ id }) => id))
    if (wanted.length !== there.size || new Set(wanted).size !== wanted.length || wanted.some((id) => !there.has(id))) {
      throw invalid('item_ids', 'not_all_lines', 'Name every line of the bill exactly once.')
    }
    if (lines.every(({ id }, index) => id === wanted[index])) return null
    await saveOrder(ctx, bill.id, wanted)
    return ''
  })
}

/** With the bill locked: change its lines, then its sums and its state, in one transaction. `work` answers null when nothing changed. */
function change(
  ctx: Context,
  reference: Reference,
  expected: Expected,
  work: (ctx: Context, bill: Bill, lines: BillItem[]) => Promise<string | null>,
  line?: string,
): Promise<WithBill> {
  return transaction(ctx, async (ctx) => {
    const { bill } = await lock(ctx, reference, expected)
    const before = await linesOf(ctx, bill.id)
    const touched = touchIfChangeable(bill)
    const changed = await work(ctx, bill, before)
    if (changed !== null) await settle(ctx, bill, touched, before)
    const { bill: now } = await readLocked(ctx, bill.id)
    const id = changed || line || ''
    return { line: (id && (await findLine(ctx, bill.id, id))) || null, bill: JSON.stringify(now), revision: now.revision, id }
  })
}

function touchIfChangeable(bill: Bill): Bill {
  return { ...bill, ...touch(bill, 'bill') }
}

async function settle(ctx: Context, bill: Bill, touched: Bill, before: BillItem[]): Promise<void> {
  const after = await linesOf(ctx, bill.id)
  const sub_total_amount = sum(
    after.map(({ total_amount }) => total_amount),
    'sub_total_amount',
  )
  const total_amount = sum([sub_total_amount, bill.tax_amount], 'total_amount')
  await saveBill(ctx, { ...touched, sub_total_amount, total_amount }, null)
  if (bill.consolidated_bill_id) await touchStatement(ctx, bill.consolidated_bill_id)
  const sums = { sub_total_amount: bill.sub_total_amount, total_amount: bill.total_amount }
  const moved = touched.status_id !== bill.status_id
  await recordChange(
    ctx,
    bill,
    { bill_items: before, ...(sub_total_amount !== bill.sub_total_amount && sums), ...(moved && { status_id: bill.status_id }) },
    moved,
  )
}

function lineAmong(lines: BillItem[], id: string): BillItem {
  const line = lines.find((one) => one.id === id.toLowerCase())
  if (!line) throw notFound('line', id)
  return line
}
