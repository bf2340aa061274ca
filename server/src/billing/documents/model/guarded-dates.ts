import type { Kind } from './kind.ts'
import type { Plan } from './plan.ts'
import type { Document } from './standard-fields.ts'

type Change = { before: Document; next: Document; previous: object }

/**
 * The dates that have to be in open periods for a change of a document. Its own date counts where it changes itself: that somebody pays it, gathers it on a
 * statement or notes it in an accounting system does not change it. A payment counts by its own date, that of its undoing included.
 */
export function datesOfChange(kind: Kind, { before, next, previous }: Change): (string | null)[] {
  const isPayment = before.status_id !== next.status_id && (before.status_id === 'paid' || next.status_id === 'paid')
  const isOfOthers = (name: string) =>
    name.startsWith('qb_') || name === kind.parent?.key || kind.fields[name]?.isContent === false || (isPayment && ['status_id', 'paid_at'].includes(name))
  const changesItself = !Object.keys(previous).every(isOfOthers)
  return [
    ...(changesItself ? [dateOf(kind, before), dateOf(kind, next)] : []),
    ...(next.status_id === 'paid' && next.paid_at !== before.paid_at ? [next.paid_at] : []),
    ...(before.status_id === 'paid' && next.paid_at !== before.paid_at ? [before.paid_at] : []),
  ]
}

/** The same of one row of many. */
export function datesOfPlan(kind: Kind, { status, document, steps }: Plan): (string | null)[] {
  const final = steps.at(-1)?.next ?? document
  if (status === 'created') return [dateOf(kind, final), final.paid_at]
  return steps.flatMap(({ next, previous }, index) => datesOfChange(kind, { before: steps[index - 1]?.next ?? document, next, previous }))
}

/** The date of a document that is created, voided or deleted. */
export function dateOf({ date }: Kind, document: Document): string | null {
  return (document as Record<string, unknown>)[date] as string | null
}
