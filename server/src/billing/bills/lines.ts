import { type Context, together, transaction } from '../../context.ts'
import type { Reference } from '../../core/ids.ts'
import { conflict, invalid, notFound } from '../../core/refusal.ts'
import type { Expected } from '../../core/revisions.ts'
import { touchStatement } from '../consolidated-bills/touch.ts'
import { touch } from '../lifecycle.ts'
import { lock } from './actions.ts'
import { recordBills } from './history.ts'
import { type BillItem, editLine, type LineEdit, type NewLine, priced, withSums } from './line-model.ts'
import { deleteLine, findLine, insertLines, linesOf, saveLine, saveOrder } from './line-store.ts'
import type { Bill } from './model.ts'
import { type Locked, readLocked, saveBill } from './store.ts'

/** The JSON text of the line, where one is meant, and of the bill whose sums it changed. */
export type WithBill = { line: string | null; bill: string; revision: number }

const mostLines = 1000

export function addLine(ctx: Context, reference: Reference, input: NewLine, expected: Expected): Promise<WithBill & { id: string }> {
  return transaction(ctx, async (ctx) => {
    const { bill, lines } = await open(ctx, reference, expected)
    if (lines.length >= mostLines) throw conflict('too_many_lines', `A bill has at most ${mostLines} lines.`)
    const touched = touch(bill, 'bill')
    const [id] = (await insertLines(ctx, bill.id, [priced(input)])) as [string]
    await settle(ctx, bill, touched, lines)
    return { id, ...(await answer(ctx, bill.id, id)) }
  })
}

export function changeLine(ctx: Context, reference: Reference, id: string, input: LineEdit, expected: Expected): Promise<WithBill> {
  return transaction(ctx, async (ctx) => {
    const { bill, lines } = await open(ctx, reference, expected)
    const { next, changed } = editLine(lineAmong(lines, id), input)
    if (changed) {
      const touched = touch(bill, 'bill')
      await saveLine(ctx, id, next)
      await settle(ctx, bill, touched, lines)
    }
    return answer(ctx, bill.id, id)
  })
}

export function removeLine(ctx: Context, reference: Reference, id: string, expected: Expected): Promise<WithBill> {
  return transaction(ctx, async (ctx) => {
    const { bill, lines } = await open(ctx, reference, expected)
    const line = lineAmong(lines, id)
    const touched = touch(bill, 'bill')
    await deleteLine(ctx, bill.id, line)
    await settle(ctx, bill, touched, lines)
    return answer(ctx, bill.id)
  })
}

export function reorderLines(ctx: Context, reference: Reference, ids: readonly string[], expected: Expected): Promise<WithBill> {
  return transaction(ctx, async (ctx) => {
    const { bill, lines } = await open(ctx, reference, expected)
    const wanted = ids.map((id) => id.toLowerCase())
    const there = new Set(lines.map(({ id }) => id))
    if (wanted.length !== there.size || new Set(wanted).size !== wanted.length || wanted.some((id) => !there.has(id))) {
      throw invalid('item_ids', 'not_all_lines', 'Name every line of the bill exactly once.')
    }
    if (lines.some(({ id }, index) => id !== wanted[index])) {
      const touched = touch(bill, 'bill')
      await saveOrder(ctx, bill.id, wanted)
      await settle(ctx, bill, touched, lines)
    }
    return answer(ctx, bill.id)
  })
}

/** Whatever touches a line holds the bill's lock until the sums are right again. */
async function open(ctx: Context, reference: Reference, expected: Expected): Promise<{ bill: Bill; lines: BillItem[] }> {
  const { bill } = await lock(ctx, reference, expected)
  return { bill, lines: await linesOf(ctx, bill.id) }
}

/** The lines have changed: the bill's sums and state follow. */
async function settle(ctx: Context, bill: Bill, touched: Partial<Bill>, before: BillItem[]): Promise<void> {
  const next = withSums({ ...bill, ...touched }, await linesOf(ctx, bill.id))
  const changed = (['sub_total_amount', 'total_amount', 'status_id'] as const).filter((field) => next[field] !== bill[field])
  const previous = Object.fromEntries(changed.map((field) => [field, bill[field]]))
  await together(saveBill(ctx, next, null), recordBills(ctx, [{ before: bill, to: next.status_id, previous: { bill_items: before, ...previous } }]))
  if (bill.consolidated_bill_id) await touchStatement(ctx, [bill, next], { contentChanged: true })
}

async function answer(ctx: Context, id: string, line?: string): Promise<WithBill> {
  const [{ bill }] = (await readLocked(ctx, [id])) as [Locked]
  return { line: (line && (await findLine(ctx, id, line))) || null, bill: JSON.stringify(bill), revision: bill.revision }
}

function lineAmong(lines: BillItem[], id: string): BillItem {
  const line = lines.find((one) => one.id === id.toLowerCase())
  if (!line) throw notFound('line', id)
  return line
}
