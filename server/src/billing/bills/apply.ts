import { type Context, together } from '../../context.ts'
import type { EventOf } from '../../events/record.ts'
import { touchStatement } from '../consolidated-bills/touch.ts'
import { takeNumbers } from '../counters.ts'
import type { Edited } from '../edits.ts'
import { availableActions } from '../lifecycle.ts'
import { requireStatementAllows } from './actions.ts'
import { insertBills, insertLinesOf, replaceLines, saveBills } from './bulk-store.ts'
import { type Change, eventsOfBill, recordBills, recordOf } from './history.ts'
import type { Bill } from './model.ts'
import type { Plan } from './upsert-model.ts'

/**
 * Writes what was planned, all bills together: the new ones where they have come to, the lines, then one round for each change of the others. False
 * where somebody has meanwhile made one of the new ones.
 */
export async function applyPlans(ctx: Context, plans: readonly Plan[]): Promise<boolean> {
  // Before the new bills go in: whoever has put one in and waits for the counter could be waited for by the one who has it.
  const numbers = await numbersFor(ctx, plans)
  const created = plans.filter(({ status }) => status === 'created')
  if (created.length > 0 && !(await create(ctx, created, numbers))) return false
  const updated = plans.filter(({ status }) => status === 'updated')
  const replaced = updated.flatMap(({ bill, lines }) => (lines ? [{ bill: bill.id, lines }] : []))
  if (replaced.length > 0) await replaceLines(ctx, replaced)
  for (let round = 0; updated.some(({ steps }) => steps.length > round); round += 1) {
    await applyRound(
      ctx,
      updated.flatMap((plan) => changeIn(plan, round)),
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

async function create(ctx: Context, plans: readonly Plan[], numbers: Numbers): Promise<boolean> {
  const bills = plans.map(({ bill, steps }) => ({ ...(steps.at(-1)?.next ?? bill), revision: 1 + steps.length, new_number: numbers.get(bill.id) ?? null }))
  if ((await insertBills(ctx, bills)) < bills.length) return false
  await insertLinesOf(
    ctx,
    plans.map(({ bill, lines }) => ({ bill: bill.id, lines: lines ?? [] })),
  )
  await recordOf(ctx, plans.flatMap(storyOf))
  return true
}

/** The history of a bill that was made and moved in one go, each event with the bill as it was then. */
function storyOf(plan: Plan): EventOf[] {
  const { bill, steps } = plan
  const final = steps.at(-1)?.next ?? bill
  const made: EventOf = { type: 'bill.created', id: bill.id, revision: 1, ...(steps.length > 0 && { beside: then(bill, final, 1) }) }
  const moves = steps.flatMap((step, round) => {
    const beside = round < steps.length - 1 ? then(step.next, final, round + 2) : {}
    return changeIn(plan, round)
      .flatMap((change) => eventsOfBill(told(change, change.before.status_id === 'draft')))
      .map((event): EventOf => ({ ...event, revision: round + 2, beside: { ...beside, ...event.beside } }))
  })
  return [made, ...moves]
}

/** What of the bill was otherwise at that point. */
function then(bill: Bill, final: Bill, revision: number): Record<string, unknown> {
  const differing = ofAMove.filter((field) => bill[field] !== final[field]).map((field) => [field, bill[field]])
  const actions = availableActions(bill, { complete: bill.currency_id !== null, held: false })
  return { ...Object.fromEntries(differing), revision, available_actions: actions, ...(bill.status_id === 'draft' && { number: null }) }
}

const ofAMove = ['status_id', 'sent_at', 'paid_at', 'due_date', 'bill_date'] as const

type Numbers = ReadonlyMap<string, number>

/** A number for every bill that leaves the draft, in the order of the rows. */
async function numbersFor(ctx: Context, plans: readonly Plan[]): Promise<Numbers> {
  const leaving = plans.filter(({ bill, steps }) => bill.number === null && steps.some(({ next }) => next.status_id !== 'draft'))
  if (leaving.length === 0) return new Map()
  const first = await takeNumbers(ctx, 'bill', leaving.length)
  return new Map(leaving.map(({ bill }, index) => [bill.id, first + index]))
}

export type Step = { before: Bill; step: Edited<Bill>; reason: string | undefined }

function changeIn({ bill, steps, reason }: Plan, round: number): Step[] {
  const step = steps[round]
  return step ? [{ before: steps[round - 1]?.next ?? bill, step, reason }] : []
}

/** One change of each of these bills, whose locks the caller holds. */
export async function applyRound(ctx: Context, changes: readonly Step[], numbers: Numbers = new Map()): Promise<void> {
  if (changes.length === 0) return
  const numberOf = ({ before, step }: Step) => (before.status_id === 'draft' && step.next.status_id !== 'draft' ? (numbers.get(before.id) ?? null) : null)
  await together(
    saveBills(
      ctx,
      changes.map((change) => ({ ...change.step.next, new_number: numberOf(change) })),
    ),
    recordBills(
      ctx,
      changes.map((change) => told(change, numberOf(change) !== null)),
    ),
  )
}

/** As the single operations tell it. */
function told({ before, step, reason }: Step, numbered: boolean): Change {
  return { before, to: step.next.status_id, previous: { ...step.previous, ...(numbered && { number: null }) }, reason }
}
