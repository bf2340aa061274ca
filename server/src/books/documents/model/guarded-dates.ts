import type { Document } from './fields/standard-fields.ts'
import type { Kind } from './kind/kind.ts'
import type { Plan } from './plan.ts'

type Change = { before: Document; next: Document; previous: object }

/**
 * The dates that have to be in open periods for a change of a document. Its own date counts where it changes itself: that somebody pays it, gathers it on a
 * statement or notes it in an accounting system does not change it. Payments ask for their own dates.
 */
export function datesOfChange(kind: Kind, { before, next, previous }: Change): (string | null)[] {
  const isPayment = before.status_id !== next.status_id && (before.status_id === 'paid' || next.status_id === 'paid')
  const isOfOthers = (name: string) =>
    name.startsWith('qb_') ||
    name === kind.parent?.key ||
    kind.fields[name]?.isContent === false ||
    (isPayment && ['status_id', 'paid_at'].includes(name))
  return Object.keys(previous).every(isOfOthers) ? [] : [dateOf(kind, before), dateOf(kind, next)]
}

/** The same of one row of many, with the dates of the payments that it makes or takes back, so that such a row is refused alone. */
export function datesOfPlan(kind: Kind, { status, document, steps }: Plan): (string | null)[] {
  const final = steps.at(-1)?.next ?? document
  if (status === 'created') return [dateOf(kind, final), final.paid_at]
  return steps.flatMap(({ next, previous }, index) => {
    const before = steps[index - 1]?.next ?? document
    return [
      ...datesOfChange(kind, { before, next, previous }),
      ...(before.paid_at === next.paid_at ? [] : [before.paid_at, next.paid_at]),
    ]
  })
}

/** The date of a document that is created, voided or deleted. */
export function dateOf({ date }: Kind, document: Document): string | null {
  return (document as Record<string, unknown>)[date] as string | null
}
