import { actorId } from '../../../platform/access/acting/acting.ts'
import { type Context, transaction } from '../../../platform/context.ts'
import { conflict, Refusal, unavailable } from '../../../platform/core/refusal.ts'
import { checkerOf } from '../../../platform/core/schema/check.ts'
import { failed, type Mode, type Outcome, outcomeOr } from '../../../platform/core/schema/rows.ts'
import { findClosed } from '../../periods/open.ts'
import { taxRatesOf } from '../../tax-rates/lookup.ts'
import type { Maker } from '../model/blank.ts'
import { typeKey } from '../model/fields/shape.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import { datesOfPlan } from '../model/guarded-dates.ts'
import { type Kind, onceFor, parentOf } from '../model/kind/kind.ts'
import { taxRateIdsIn } from '../model/kind/line-taxes.ts'
import {
  type CurrentDocument,
  findMeant,
  idOf,
  linesIn,
  type Plan,
  planCreation,
  planUpdate,
  type ReferencedRecords,
  type Row,
} from '../model/plan.ts'
import { requireAccess, requireRightToPay } from '../store/access.ts'
import { beginAttempt, lockNamed, lookUp, type NamedRecords, takeBack } from '../store/bulk-store.ts'
import { applyPlans, applyWithParent } from './apply.ts'
import { checkDuplicates } from './duplicates.ts'
import { addHomeAmounts } from './home-amounts.ts'
import { refusalsToPay } from './payable.ts'

export type Upsert = { mode: Mode; dryRun?: boolean }
export type BulkResult = { outcomes: Outcome[]; applied: boolean }

const checkOf = onceFor(({ schemas }) => checkerOf(schemas.Row))

type Checked = Row | Refusal

/**
 * Creates or updates a document for each row, in one transaction: set by set, not row by row. Each row is checked on its own, and what is wrong with
 * it fails it alone. A row whose document another creates meanwhile sends everything back to the start, where that document is then found.
 */
export function upsertDocuments<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  sent: readonly unknown[],
  how: Upsert,
): Promise<BulkResult> {
  const check = checkOf(kind)
  const rows = onlyOnce(
    kind,
    sent.map((row) => (row instanceof Refusal ? row : outcomeOr(() => check(row) as Row))),
  )
  return transaction(ctx, async (ctx) => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await beginAttempt(ctx, 'rows')
      const upserted = await attemptRows(ctx, kind, rows, how)
      // A dry run and a meeting with another's document leave nothing behind, no locks either.
      if (!upserted?.applied) await takeBack(ctx, 'rows')
      if (upserted)
        return {
          ...upserted,
          outcomes: upserted.outcomes.map((outcome, index) => ({
            ...outcome,
            external_id: externalIdOf(sent[index]) ?? outcome.external_id,
          })),
        }
    }
    throw unavailable(`Too many are making the same ${kind.plural} at this moment. Try again.`)
  })
}

/** Also of a row that is wrong, so that its sender finds it again. */
function externalIdOf(sent: unknown): string | null {
  const { external_id } = (sent ?? {}) as { external_id?: unknown }
  return typeof external_id === 'string' ? external_id : null
}

/** Two rows about one document contradict each other, or say the same twice: the first counts, the others are refused. */
function onlyOnce(kind: Kind, rows: readonly Checked[]): Checked[] {
  const seen = new Map<string, number>()
  return rows.map((row, index) => {
    if (row instanceof Refusal) return row
    const keys = [
      row.external_id ? `external_id ${row.external_id}` : null,
      idOf(row) ? `id ${idOf(row)}` : null,
    ].filter((key) => key !== null)
    const first = keys.map((key) => seen.get(key)).find((other) => other !== undefined)
    for (const key of keys) if (!seen.has(key)) seen.set(key, index)
    return first === undefined ? row : duplicate(kind, row, first)
  })
}

function duplicate({ noun }: Kind, { external_id }: Row, first: number): Refusal {
  const field = external_id ? 'external_id' : 'id'
  const message = `Row ${first} of this request is about the same ${noun} (counted from 0). Send each ${noun} once.`
  return conflict('duplicate_row', message, [{ field, code: 'duplicate_row', message }])
}

/** The outcome of a row, and the plan for it where there is one. */
type Planned<D extends Document> = { plan: Plan<D> | null; outcome: Outcome }

/** Null where a document was created, moved or removed between looking and locking. */
async function attemptRows<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  rows: readonly Checked[],
  { mode, dryRun = false }: Upsert,
): Promise<BulkResult | null> {
  const good = rows.filter((row): row is Row => !(row instanceof Refusal))
  const lines = good.flatMap((row) => linesIn(kind, row) ?? [])
  const [there, taxRates] = await Promise.all([
    lookUp(ctx, kind, namedIn(kind, good)),
    taxRatesOf(ctx, taxRateIdsIn(lines)),
  ])
  const known = { ...there, taxRates, now: new Date() }
  const names = {
    externalIds: good.flatMap(({ external_id }) => external_id ?? []),
    ids: good.flatMap((row) => idOf(row) ?? []),
  }
  const current = await lockNamed(ctx, kind, names)
  if (!current) return null
  const priced = await pricedAll(
    ctx,
    kind,
    await refuseClosed(
      ctx,
      kind,
      planAll(ctx, { org: ctx.org, createdBy: await actorId(ctx) }, kind, rows, known, current),
    ),
  )
  const { planned, asked, found } = await checkDuplicates(ctx, kind, priced)
  for (const [index, refusal] of (
    await refusalsToPay(
      ctx,
      kind,
      planned.map(({ plan }) => plan),
    )
  ).entries())
    if (refusal) planned[index] = refusedBy(planned[index] as Planned<D>, refusal)
  for (const [index, entry] of planned.entries())
    if (isAppliedAlone(kind, entry)) planned[index] = await applyOne(ctx, kind, entry)
  const outcomes = planned.map(({ outcome }) => outcome)
  const applied = !dryRun && (mode === 'best_effort' || outcomes.every(({ status }) => status !== 'failed'))
  if (!applied) return { applied, outcomes: withRowsAlike(planned) }
  const plans = planned.flatMap((entry) => (entry.plan && !isAppliedAlone(kind, entry) ? [entry.plan] : []))
  if (!(await applyPlans(ctx, kind, plans))) return null
  if (found) await kind.duplicates?.hold(ctx, asked, found)
  return { applied, outcomes }
}

function planAll<D extends Document>(
  ctx: Context,
  maker: Maker,
  kind: Kind<D>,
  rows: readonly Checked[],
  known: ReferencedRecords,
  current: readonly CurrentDocument<D>[],
): Planned<D>[] {
  const planOf = (row: Row, there: CurrentDocument<D> | undefined): Plan<D> => {
    if (there) requireAccess(ctx, kind, there.document)
    const plan = there ? planUpdate(kind, there, row, known) : planCreation(kind, maker, row, known)
    requireAccess(ctx, kind, plan.document)
    for (const [index, { next }] of plan.steps.entries())
      requireRightToPay(ctx, plan.steps[index - 1]?.next ?? plan.document, next)
    return plan
  }
  const byId = new Map(current.map((one) => [one.document.id, one]))
  const byExternalId = new Map(
    current.flatMap((one) => (one.document.external_id === null ? [] : [[one.document.external_id, one] as const])),
  )
  const taken = new Map<string, number>()
  return rows.map((row, index) => {
    if (row instanceof Refusal) return { plan: null, outcome: failed(row) }
    const there = outcomeOr(() => requireFirst(kind, row, index, findMeant(kind, row, { byId, byExternalId }), taken))
    const plan = there instanceof Refusal ? there : outcomeOr(() => planOf(row, there))
    if (!(plan instanceof Refusal)) return { plan, outcome: outcomeOf(plan) }
    const document = there instanceof Refusal ? undefined : there?.document
    return { plan: null, outcome: { ...failed(plan), id: document?.id ?? null, revision: document?.revision ?? null } }
  })
}

function refusedBy<D extends Document>({ plan }: Planned<D>, refusal: Refusal): Planned<D> {
  const known = plan && plan.status !== 'created' ? { id: plan.document.id, revision: plan.document.revision } : {}
  return { plan: null, outcome: { ...failed(refusal), ...known } }
}

/** A row that is dated in a closed period fails alone. Whether one is closed at this very moment is asked again when the rows are written. */
async function refuseClosed<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  planned: readonly Planned<D>[],
): Promise<Planned<D>[]> {
  const dates = planned.map(({ plan }) => (plan ? datesOfPlan(kind, plan) : []))
  const closed = await findClosed(ctx, dates.flat())
  return planned.map((entry, index) => {
    const refusal = dates[index]?.map((date) => closed.get(date ?? '')).find((found) => found !== undefined)
    if (!refusal || !entry.plan) return entry
    const { id, revision } = entry.plan.status === 'created' ? { id: null, revision: null } : entry.plan.document
    return { plan: null, outcome: { ...failed(refusal), id, revision } }
  })
}

/** With the home amounts that the changes ask for; a row whose rate is missing fails where the organization requires one. */
async function pricedAll<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  planned: readonly Planned<D>[],
): Promise<Planned<D>[]> {
  const plans = await addHomeAmounts(
    ctx,
    kind,
    planned.flatMap(({ plan }) => plan ?? []),
  )
  return planned.map((entry) => {
    if (!entry.plan) return entry
    const plan = plans.shift() as Plan<D> | Refusal
    if (!(plan instanceof Refusal)) return { ...entry, plan }
    const { status, document } = entry.plan
    return {
      plan: null,
      outcome: { ...failed(plan), ...(status !== 'created' && { id: document.id, revision: document.revision }) },
    }
  })
}

/** One row may name a document by its id and another by its external id. */
function requireFirst<D extends Document>(
  kind: Kind<D>,
  row: Row,
  index: number,
  there: CurrentDocument<D> | undefined,
  taken: Map<string, number>,
): CurrentDocument<D> | undefined {
  const first = there && taken.get(there.document.id)
  if (first !== undefined) throw duplicate(kind, row, first)
  if (there) taken.set(there.document.id, index)
  return there
}

function outcomeOf({ status, document, steps, ignored }: Plan): Outcome {
  return {
    status,
    id: document.id,
    external_id: document.external_id,
    revision: document.revision + steps.length,
    ignored,
  }
}

/** A record that would have been created does not exist: a row that is probably the same names the row of it. */
function withRowsAlike(planned: readonly Planned<Document>[]): Outcome[] {
  const rowOf = new Map(
    planned.flatMap(({ plan }, index) => (plan?.status === 'created' ? [[plan.document.id, index] as const] : [])),
  )
  return planned.map((entry) => {
    const outcome = asTried(entry)
    const rows = outcome.duplicates?.flatMap((id) => rowOf.get(id) ?? []) ?? []
    return rows.length > 0
      ? { ...outcome, duplicates: outcome.duplicates?.filter((id) => !rowOf.has(id)) ?? [], duplicateRows: rows }
      : outcome
  })
}

/** Where nothing is kept, what would have been created has neither id nor revision, and what is there stays as it is. */
function asTried({ plan, outcome }: Planned<Document>): Outcome {
  if (!plan) return outcome
  return plan.status === 'created'
    ? { ...outcome, id: null, revision: null }
    : { ...outcome, revision: plan.document.revision }
}

/** What others may refuse is done one by one: the parent of a document, which changes with each, and the payments of one that was paid. */
function isAppliedAlone<D extends Document>(kind: Kind<D>, { plan }: Planned<D>): boolean {
  return plan?.status === 'updated' && (parentOf(kind, plan.document) !== null || takesBack(plan))
}

/** Whether it takes payments back. */
function takesBack({ document, steps }: Plan): boolean {
  return document.status_id === 'paid' && steps.some(({ next }) => next.status_id !== 'paid')
}

async function applyOne<D extends Document>(ctx: Context, kind: Kind<D>, entry: Planned<D>): Promise<Planned<D>> {
  const plan = entry.plan as Plan<D>
  await beginAttempt(ctx, 'row')
  try {
    if (parentOf(kind, plan.document) === null) await applyPlans(ctx, kind, [plan])
    else await applyWithParent(ctx, kind, plan)
    return entry
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
    await takeBack(ctx, 'row')
    const { id, revision } = plan.document
    return { plan: null, outcome: { ...failed(error), id, revision } }
  }
}

function namedIn(kind: Kind, rows: readonly Row[]): NamedRecords {
  const lower = (ids: (string | null | undefined)[]) => [...new Set(ids.flatMap((id) => id?.toLowerCase() ?? []))]
  const { type } = kind.lines
  const lines = type ? rows.flatMap((row) => linesIn(kind, row) ?? []) : []
  return {
    payTerms: lower(rows.map(({ pay_term_id }) => pay_term_id)),
    currencies: lower(rows.map(({ currency_id }) => currency_id)),
    lineTypes: type
      ? lower(lines.map((line) => (line as Record<string, unknown>)[typeKey(type)] as string | null | undefined))
      : [],
  }
}
