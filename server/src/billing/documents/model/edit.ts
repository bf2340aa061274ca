import { toWire } from '../../../core/dates.ts'
import { sum } from '../../../core/money.ts'
import { conflict, invalid } from '../../../core/refusal.ts'
import { amountIn } from './amount.ts'
import { conclude, dueAfter, type Edited } from './conclude.ts'
import { contentIn, isContent, namesOf } from './fields.ts'
import type { PricedLine } from './line-fields.ts'
import { subTotalOf } from './line-model.ts'
import { aOr, capital, type Shape } from './shape.ts'
import type { Document, Edit } from './standard-fields.ts'

export type Facts = {
  hasLines: boolean
  now: Date
  payTermDays: number | null
  /** Where the lines change in the same update: what they were, and what they will be. */
  lines?: { before: readonly object[]; after: readonly PricedLine[] }
}

/** The rule of an update: what of the input applies, what that makes of the document, or why it cannot be. */
export function edit<D extends Document>(shape: Shape, current: D, input: Edit, facts: Facts): Edited<D> {
  const { fields, noun } = shape
  const { lines } = facts
  const sums = sumsIn(current, input, lines ? lines.after.length > 0 : facts.hasLines)
  const applied: Partial<Document> = { ...contentIn(fields, current, input), ...sums.taken }
  requireCurrencyFree(shape, current, applied, facts)
  const before: D = lines ? { ...current, [shape.lines.plural]: lines.before } : current
  const changed: D = { ...current, ...(lines && { [shape.lines.plural]: lines.after, sub_total_amount: subTotalOf(lines.after) }), ...applied }
  if (!changed.is_tax_on) changed.tax_amount = 0
  changed.total_amount = sum([changed.sub_total_amount, changed.tax_amount], 'total_amount')
  const completed = (document: D) => completion(shape, document, facts) as Partial<D>
  const edited = conclude(before, changed, input, { now: facts.now, noun, isContent: isContent(fields), completed })
  const neverSet = namesOf(fields, 'server', 'creation').filter((name) => name in input)
  return { ...edited, ignored: [...neverSet, ...sums.ignored, ...edited.ignored] }
}

/** The sums of a document with lines are theirs; without lines they are what is sent, and no tax where the body itself says that there is none. */
function sumsIn(current: Document, input: Edit, hasLines: boolean): { taken: Partial<Document>; ignored: string[] } {
  const sent = (['sub_total_amount', 'tax_amount'] as const).filter((field) => input[field] !== undefined)
  if (hasLines) return { taken: {}, ignored: sent }
  const taken: Partial<Document> = Object.fromEntries(sent.map((field) => [field, amountIn(input[field], field)]))
  const taxIsOn = input.is_tax_on === undefined ? current.is_tax_on : input.is_tax_on === true
  if (!taken.tax_amount || taxIsOn) return { taken, ignored: [] }
  if (input.is_tax_on === undefined) throw invalid('tax_amount', 'tax_is_off', 'There is no tax while "is_tax_on" is false; send is_tax_on: true with it.')
  return { taken: { ...taken, tax_amount: 0 }, ignored: ['tax_amount'] }
}

function requireCurrencyFree({ noun }: Shape, current: Document, applied: Partial<Document>, { hasLines }: Facts): void {
  if (applied.currency_id === undefined || applied.currency_id === current.currency_id) return
  if (current.status_id !== 'draft' && current.status_id !== 'saved')
    throw conflict('currency_is_fixed', `The currency of ${aOr(current.status_id)} ${noun} cannot change.`)
  if (current.status_id === 'saved' && applied.currency_id === null)
    throw invalid('currency_id', 'currency_required', `${capital(aOr(noun))} that is no draft needs a currency.`)
  if (hasLines && current.currency_id !== null)
    throw conflict('currency_has_lines', `The ${noun} has lines in its currency. Remove them first, or make another ${noun}.`)
}

/** What saving a draft requires and adds. The number is added by the store, which has the counter. */
function completion({ noun, date }: Shape, document: Document, { now, payTermDays }: Facts): Record<string, unknown> {
  if (document.currency_id === null)
    throw invalid('currency_id', 'currency_required', `${capital(aOr(noun))} needs a currency before it can be saved; set "currency_id".`)
  const dated = ((document as Record<string, unknown>)[date] as string | null) ?? toWire(now)
  return { [date]: dated, due_date: document.due_date ?? (payTermDays === null ? null : dueAfter(dated, payTermDays, date)) }
}
