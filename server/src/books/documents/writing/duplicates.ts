import type { Context } from '../../../platform/context.ts'
import { failed, type Outcome } from '../../../platform/core/schema/rows.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import type { DuplicateCandidate, FoundDuplicates, Kind } from '../model/kind/kind.ts'
import type { Plan } from '../model/plan.ts'

/** What is asked about a change of a document: nothing where the change cannot make it a duplicate. */
export function duplicatesAsked<D extends Document>(
  kind: Kind<D>,
  before: D | null,
  next: D,
  body: object,
): DuplicateCandidate<D>[] {
  if (!kind.duplicates?.concerns(before, next)) return []
  return [{ next, allowed: (body as { allow_duplicate?: boolean }).allow_duplicate === true, isNew: before === null }]
}

/** The same documents that are there already; null where nothing was asked. Refuses the first that the organization does not want. */
export async function findDuplicates<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  asked: readonly DuplicateCandidate<D>[],
): Promise<FoundDuplicates | null> {
  if (!kind.duplicates || asked.length === 0) return null
  const found = await kind.duplicates.findAll(ctx, asked)
  for (const refusal of found.refusals.values()) throw refusal
  return found
}

type Planned<D extends Document> = { plan: Plan<D> | null; outcome: Outcome }
type Checked<D extends Document> = {
  planned: Planned<D>[]
  asked: DuplicateCandidate<D>[]
  found: FoundDuplicates | null
}

/** The same of many rows: a row that is refused fails alone, and the others say which documents are probably the same. */
export async function checkDuplicates<D extends Document>(
  ctx: Context,
  kind: Kind<D>,
  planned: readonly Planned<D>[],
): Promise<Checked<D>> {
  const asked = planned.flatMap(({ plan }) => {
    if (!plan || plan.status === 'unchanged') return []
    const { status, document, steps, allowsDuplicate } = plan
    return duplicatesAsked(kind, status === 'created' ? null : document, steps.at(-1)?.next ?? document, {
      allow_duplicate: allowsDuplicate,
    })
  })
  if (!kind.duplicates || asked.length === 0) return { planned: [...planned], asked, found: null }
  const found = await kind.duplicates.findAll(ctx, asked)
  const checked = planned.map((entry): Planned<D> => {
    const { plan, outcome } = entry
    const refusal = plan && found.refusals.get(plan.document.id)
    if (!plan || !refusal)
      return { plan, outcome: { ...outcome, duplicates: (plan && found.others.get(plan.document.id)) ?? [] } }
    const { id, revision } = plan.status === 'created' ? { id: null, revision: null } : plan.document
    return { plan: null, outcome: { ...failed(refusal), id, revision } }
  })
  return { planned: checked, asked: asked.filter(({ next }) => !found.refusals.has(next.id)), found }
}
