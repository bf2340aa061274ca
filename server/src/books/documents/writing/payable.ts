import { type Context, together } from '../../../platform/context.ts'
import type { Refusal } from '../../../platform/core/refusal.ts'
import { alreadyPaid } from '../model/fields/lifecycle.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import type { Kind, PaidChange } from '../model/kind/kind.ts'
import type { RequestedPayment } from '../model/kind/paying.ts'
import type { Plan } from '../model/plan.ts'
import { requireRightToPay } from '../store/access.ts'

/**
 * What every change passes that pays documents, whatever asked for it: who pays must have the right to, and what has to be approved must be. The caller
 * holds the locks.
 */
export async function requirePayable<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  changes: readonly PaidChange<D>[],
): Promise<void> {
  for (const { before, next } of changes) requireRightToPay(ctx, before, next)
  const paid = changes.filter(pays)
  if (!kind.approving || paid.length === 0) return
  const refusals = await kind.approving.refusalsOf(
    ctx,
    paid.map(({ before }) => ({ document: before, lines: [], isKept: true })),
  )
  const refusal = refusals.find((one) => one !== null)
  if (refusal) throw refusal
}

/** Refuses to pay a paid document, which the caller has locked, unless it is the request again that has paid it. */
export async function requireSamePayment<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  document: D,
  asked: RequestedPayment,
): Promise<void> {
  const { paid_at, ...how } = asked
  const saysHow = Object.values(how).some((value) => value !== undefined)
  if (!saysHow && (paid_at === undefined || paid_at === document.paid_at)) return
  if (!(await kind.paying?.isRecorded(ctx, document, asked))) throw alreadyPaid(kind.noun, document)
}

/** For each plan of many, why what it pays may not be paid. */
export async function refusalsToPay<D extends Document>(
  ctx: Context,
  { approving }: Kind<D>,
  plans: readonly (Plan<D> | null)[],
): Promise<(Refusal | null)[]> {
  const paying = plans.flatMap((plan, index) =>
    plan && approving && pays({ before: plan.document, next: lastOf(plan) }) ? [{ plan, index }] : [],
  )
  if (!approving || paying.length === 0) return []
  const payables = paying.map(({ plan }) => ({
    document: lastOf(plan),
    lines: plan.lines ?? plan.linesBefore,
    isKept: plan.status !== 'created' && !plan.steps.some(({ contentChanged }) => contentChanged),
  }))
  const [refusals, missing] = await together(
    approving.refusalsOf(ctx, payables),
    approving.refusalsOfMissing(ctx, payables),
  )
  const found: (Refusal | null)[] = plans.map(() => null)
  for (const [place, { plan, index }] of paying.entries()) {
    const isMore = lastOf(plan).amount_paid > plan.document.amount_paid
    found[index] = refusals[place] ?? (isMore ? (missing[place] ?? null) : null)
  }
  return found
}

/** Whether more of it is paid than before, or it becomes paid. */
function pays({ before, next }: PaidChange): boolean {
  return (
    Math.abs(next.amount_paid) > Math.abs(before.amount_paid) ||
    (before.status_id !== 'paid' && next.status_id === 'paid')
  )
}

function lastOf<D extends Document>({ steps, document }: Plan<D>): D {
  return steps.at(-1)?.next ?? document
}
