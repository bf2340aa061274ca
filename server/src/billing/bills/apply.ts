import type { Context } from '../../context.ts'
import { type EventOf, recordEach } from '../../events/record.ts'
import { verbsOf } from '../changes.ts'
import { touchStatement } from '../consolidated-bills/touch.ts'
import { takeNumbers } from '../counters.ts'
import type { Edited } from '../edits.ts'
import { requireStatementAllows } from './actions.ts'
import { insertBills, insertLinesOf, replaceLines, saveBills, wholeBills } from './bulk-store.ts'
import type { Bill } from './model.ts'
import type { Plan } from './upsert-model.ts'

/**
 * Writes what was planned, all bills together: the new ones, the lines, then one round for each change, so that history has every bill as it was after
 * each. False where somebody has meanwhile made one of the new ones.
 */
export async function applyPlans(ctx: Context, plans: readonly Plan[]): Promise<boolean> {
  const created = plans.filter(({ status }) => status === 'created')
  if (created.length > 0 && !(await create(ctx, created))) return false
  const replaced = plans.flatMap(({ status, bill, lines }) => (status === 'updated' && lines ? [{ bill: bill.id, lines }] : []))
  if (replaced.length > 0) await replaceLines(ctx, replaced)
  const numbers = await numbersFor(ctx, plans)
  for (let round = 0; plans.some(({ steps }) => steps.length > round); round += 1) {
    await applyRound(
      ctx,
      plans.flatMap((plan) => changeIn(plan, round)),
      numbers,
    )
  }
  return true
}

/** The same for one bill that is on a statement, which is asked first and changes with it. The caller holds both locks. */
export async function applyWithStatement(ctx: Context, plan: Plan): Promise<void> {
  const { bill, steps } = plan
  for (const change of steps.flatMap((_, round) => changeIn(plan, round))) {
    if (change.step.moved) await requireStatementAllows(ctx, bill.consolidated_bill_id as string, change.before, change.step.next)
  }
  await applyPlans(ctx, [plan])
  const after = steps.at(-1)?.next ?? bill
  await touchStatement(ctx, [bill, after], { contentChanged: steps.some(({ contentChanged }) => contentChanged) })
}

async function create(ctx: Context, plans: readonly Plan[]): Promise<boolean> {
  const bills = plans.map(({ bill }) => bill)
  if ((await insertBills(ctx, bills)) < bills.length) return false
  const ids = bills.map(({ id }) => id)
  await insertLinesOf(
    ctx,
    plans.map(({ bill, lines }) => ({ bill: bill.id, lines: lines ?? [] })),
  )
  await recordEach(
    ctx,
    'bill',
    ids.map((id) => ({ type: 'bill.created', id })),
    wholeBills(ctx, ids),
  )
  return true
}

/** A number for every bill that leaves the draft, in the order of the rows. */
async function numbersFor(ctx: Context, plans: readonly Plan[]): Promise<ReadonlyMap<string, number>> {
  const leaving = plans.filter(({ bill, steps }) => bill.number === null && steps.some(({ next }) => next.status_id !== 'draft'))
  if (leaving.length === 0) return new Map()
  const first = await takeNumbers(ctx, 'bill', leaving.length)
  return new Map(leaving.map(({ bill }, index) => [bill.id, first + index]))
}

type Change = { before: Bill; step: Edited<Bill>; reason: string | undefined }

function changeIn({ bill, steps, reason }: Plan, round: number): Change[] {
  const step = steps[round]
  return step ? [{ before: steps[round - 1]?.next ?? bill, step, reason }] : []
}

async function applyRound(ctx: Context, changes: readonly Change[], numbers: ReadonlyMap<string, number>): Promise<void> {
  const numberOf = ({ before, step }: Change) => (before.status_id === 'draft' && step.next.status_id !== 'draft' ? (numbers.get(before.id) ?? null) : null)
  await saveBills(
    ctx,
    changes.map((change) => ({ ...change.step.next, new_number: numberOf(change) })),
  )
  await recordEach(
    ctx,
    'bill',
    changes.flatMap((change) => eventsOf(change, numberOf(change))),
    wholeBills(
      ctx,
      changes.map(({ before }) => before.id),
    ),
  )
}

/** As the single operations record it. */
function eventsOf({ before, step, reason }: Change, number: number | null): EventOf[] {
  const [from, to] = [before.status_id, step.next.status_id]
  const previous = { ...step.previous, ...(number !== null && { number: null }) }
  const beside = from === 'paid' && from !== to && reason ? { beside: { reason } } : {}
  return verbsOf(from, to, previous).map((verb) => ({ type: `bill.${verb}`, id: before.id, previous, ...beside }))
}
