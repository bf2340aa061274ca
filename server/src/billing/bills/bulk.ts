import { type Context, transaction } from '../../context.ts'
import { checkerOf } from '../../core/check.ts'
import { conflict, Refusal, unavailable } from '../../core/refusal.ts'
import { failed, type Mode, type Outcome, outcomeOr } from '../../core/rows.ts'
import { sql } from '../../db/sql.ts'
import { applyPlans, applyWithStatement } from './apply.ts'
import { lockNamed, lookUp, type Named } from './bulk-store.ts'
import { BillRow, type BillRow as BillRowInput, type Current, idOf, type Known, meantBy, type Plan, planCreation, planUpdate } from './upsert-model.ts'

export type Upsert = { mode: Mode; dryRun?: boolean }
export type Upserted = { outcomes: Outcome[]; applied: boolean }

const check = checkerOf(BillRow)

type Row = BillRowInput | Refusal

/**
 * Creates or updates a bill for each row, in one transaction: set by set, not row by row. Each row is checked on its own, and what is wrong with it is
 * said of it alone. A row whose bill another makes meanwhile sends everything back to the start, where that bill is then found.
 */
export function upsertBills(ctx: Context, sent: readonly unknown[], how: Upsert): Promise<Upserted> {
  const rows = onlyOnce(sent.map((row) => (row instanceof Refusal ? row : outcomeOr(() => check(row) as BillRowInput))))
  return transaction(ctx, async (ctx) => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await ctx.run(sql`savepoint before_rows`)
      const upserted = await attemptRows(ctx, rows, how)
      // What was only tried, and what met another's bill, leaves nothing and holds nothing.
      if (!upserted?.applied) await ctx.run(sql`rollback to savepoint before_rows`)
      if (upserted)
        return {
          ...upserted,
          outcomes: upserted.outcomes.map((outcome, index) => ({ ...outcome, external_id: externalIdOf(sent[index]) ?? outcome.external_id })),
        }
    }
    throw unavailable('Too many are making the same bills at this moment. Try again.')
  })
}

/** Also of a row that is wrong, so that its sender finds it again. */
function externalIdOf(sent: unknown): string | null {
  const { external_id } = (sent ?? {}) as { external_id?: unknown }
  return typeof external_id === 'string' ? external_id : null
}

/** Two rows about one bill contradict each other, or say the same twice: the first counts, the others are refused. */
function onlyOnce(rows: readonly Row[]): Row[] {
  const seen = new Map<string, number>()
  return rows.map((row, index) => {
    if (row instanceof Refusal) return row
    const keys = [row.external_id ? `external_id ${row.external_id}` : null, idOf(row) ? `id ${idOf(row)}` : null].filter((key) => key !== null)
    const before = keys.map((key) => seen.get(key)).find((other) => other !== undefined)
    for (const key of keys) if (!seen.has(key)) seen.set(key, index)
    return before === undefined ? row : duplicate(row, before)
  })
}

function duplicate({ external_id }: BillRowInput, first: number): Refusal {
  const field = external_id ? 'external_id' : 'id'
  const message = `Row ${first} of this request is about the same bill (counted from 0). Send each bill once.`
  return conflict('duplicate_row', message, [{ field, code: 'duplicate_row', message }])
}

/** What a row comes to, and the plan for it where there is one. */
type Planned = { plan: Plan | null; outcome: Outcome }

/** Null where a bill came or went between looking and taking. */
async function attemptRows(ctx: Context, rows: readonly Row[], { mode, dryRun = false }: Upsert): Promise<Upserted | null> {
  const good = rows.filter((row): row is BillRowInput => !(row instanceof Refusal))
  const known = { ...(await lookUp(ctx, namedIn(good))), now: new Date() }
  const current = await lockNamed(ctx, { externalIds: good.flatMap(({ external_id }) => external_id ?? []), ids: good.flatMap((row) => idOf(row) ?? []) })
  if (!current) return null
  const planned = planAll(ctx, rows, known, current)
  for (const [index, entry] of planned.entries()) if (isOnStatement(entry)) planned[index] = await settleWithStatement(ctx, entry)
  const outcomes = planned.map(({ outcome }) => outcome)
  const applied = !dryRun && (mode === 'best_effort' || outcomes.every(({ status }) => status !== 'failed'))
  if (!applied) return { applied, outcomes: planned.map(asTried) }
  const plans = planned.flatMap((entry) => (entry.plan && !isOnStatement(entry) ? [entry.plan] : []))
  return (await applyPlans(ctx, plans)) ? { applied, outcomes } : null
}

function planAll(ctx: Context, rows: readonly Row[], known: Known, current: readonly Current[]): Planned[] {
  const byId = new Map(current.map((one) => [one.bill.id, one]))
  const byExternalId = new Map(current.flatMap((one) => (one.bill.external_id === null ? [] : [[one.bill.external_id, one] as const])))
  const taken = new Map<string, number>()
  return rows.map((row, index) => {
    if (row instanceof Refusal) return { plan: null, outcome: failed(row) }
    const there = outcomeOr(() => requireFirst(row, index, meantBy(row, { byId, byExternalId }), taken))
    const plan = there instanceof Refusal ? there : outcomeOr(() => (there ? planUpdate(there, row, known) : planCreation(ctx, row, known)))
    if (!(plan instanceof Refusal)) return { plan, outcome: promised(plan) }
    const bill = there instanceof Refusal ? undefined : there?.bill
    return { plan: null, outcome: { ...failed(plan), id: bill?.id ?? null, revision: bill?.revision ?? null } }
  })
}

/** One row may name a bill by its id and another by its external id. */
function requireFirst(row: BillRowInput, index: number, there: Current | undefined, taken: Map<string, number>): Current | undefined {
  const before = there && taken.get(there.bill.id)
  if (before !== undefined) throw duplicate(row, before)
  if (there) taken.set(there.bill.id, index)
  return there
}

function promised({ status, bill, steps, ignored }: Plan): Outcome {
  return { status, id: bill.id, external_id: bill.external_id, revision: bill.revision + steps.length, ignored }
}

/** Where nothing is kept, what would have been made has neither id nor revision, and what is there stays as it is. */
function asTried({ plan, outcome }: Planned): Outcome {
  if (!plan) return outcome
  return plan.status === 'created' ? { ...outcome, id: null, revision: null } : { ...outcome, revision: plan.bill.revision }
}

function isOnStatement({ plan }: Planned): boolean {
  return plan?.status === 'updated' && plan.bill.consolidated_bill_id !== null
}

/** A statement has a say in what happens to its bills, and changes with each: these are done one by one. */
async function settleWithStatement(ctx: Context, { plan, outcome }: Planned): Promise<Planned> {
  await ctx.run(sql`savepoint before_row`)
  try {
    await applyWithStatement(ctx, plan as Plan)
    return { plan, outcome }
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
    await ctx.run(sql`rollback to savepoint before_row`)
    const { id, revision } = (plan as Plan).bill
    return { plan: null, outcome: { ...failed(error), id, revision } }
  }
}

function namedIn(rows: readonly BillRowInput[]): Named {
  const lower = (ids: (string | null | undefined)[]) => [...new Set(ids.flatMap((id) => id?.toLowerCase() ?? []))]
  return {
    payTerms: lower(rows.map(({ pay_term_id }) => pay_term_id)),
    currencies: lower(rows.map(({ currency_id }) => currency_id)),
    itemTypes: lower(rows.flatMap(({ items, bill_items }) => (items ?? bill_items ?? []).map(({ bill_item_type_id }) => bill_item_type_id))),
  }
}
