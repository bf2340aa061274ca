import { conflict, invalid } from '../../../platform/core/refusal.ts'
import { toWire } from '../../../platform/core/values/dates.ts'
import { sum } from '../../../platform/core/values/money.ts'
import { amountIn } from './fields/amount.ts'
import { contentIn, isContent, namesOf } from './fields/fields.ts'
import type { PricedLine } from './fields/line-fields.ts'
import { capitalize, type Shape, withArticle } from './fields/shape.ts'
import type { Document, Edit } from './fields/standard-fields.ts'
import { conclude, dueAfter, type EditResult } from './kind/conclude.ts'
import { subTotalOf } from './kind/line-model.ts'
import { type LineTax, taxIsOn, taxOf, taxOfLines } from './kind/line-taxes.ts'
import { withPaid } from './kind/paying.ts'

export type DefaultTerm = { id: string; days: number }

export type Facts = {
  hasLines: boolean
  now: Date
  payTermDays: number | null
  /** The term of documents that are saved with neither a due date nor a term, where there is one. */
  defaultTerm?: DefaultTerm | null
  /** What its lines come to in taxes; null where none carries a tax rate. */
  lineTax: number | null
  /** Where the lines change in the same update: what they were, and what they will be. */
  lines?: { before: readonly object[]; after: readonly PricedLine[] } | null
}

/** The rule of an update: what of the input applies, what that makes of the document, or why it cannot be. */
export function edit<D extends Document>(shape: Shape, current: D, input: Edit, facts: Facts): EditResult<D> {
  const { fields, noun } = shape
  const { lines } = facts
  const lineTax = { before: facts.lineTax, after: lines ? taxOfLines(lines.after) : facts.lineTax }
  const sums = sumsIn(current, input, lines ? lines.after.length > 0 : facts.hasLines, lineTax)
  const applied: Partial<Document> = { ...contentIn(fields, current, input), ...sums.taken }
  requireCurrencyFree(shape, current, applied, facts)
  const before: D = lines ? { ...current, [shape.lines.plural]: lines.before } : current
  const changed: D = {
    ...current,
    ...(lines && { [shape.lines.plural]: lines.after, sub_total_amount: subTotalOf(lines.after) }),
    ...applied,
  }
  changed.is_tax_on = taxIsOn(current.is_tax_on, applied.is_tax_on, lineTax)
  Object.assign(changed, taxOf(current, changed.is_tax_on, sums.tax, lineTax))
  changed.total_amount = sum([changed.sub_total_amount, changed.tax_amount], 'total_amount')
  shape.check?.(changed)
  const completed = (document: D) => completion(shape, document, facts) as Partial<D>
  const concluded = conclude(before, changed, input, { now: facts.now, noun, isContent: isContent(fields), completed })
  const edited = withPaid(shape, before, concluded, toWire(facts.now))
  const neverSet = namesOf(fields, 'server', 'creation').filter((name) => name in input)
  return { ...edited, ignored: [...neverSet, ...sums.ignored, ...edited.ignored] }
}

type Sums = { taken: Partial<Document>; tax: number | undefined; ignored: string[] }

/** The sub total of a document with lines is theirs; without lines it is what is sent. The tax is set by hand on both, unless lines carry tax rates. */
function sumsIn(current: Document, input: Edit, hasLines: boolean, { after }: LineTax): Sums {
  const { sub_total_amount, is_tax_on } = input
  const isOn = is_tax_on === undefined ? current.is_tax_on : is_tax_on === true
  const tax = input.tax_amount === undefined ? undefined : amountIn(input.tax_amount, 'tax_amount')
  const ignored = hasLines && sub_total_amount !== undefined ? ['sub_total_amount'] : []
  const taken =
    hasLines || sub_total_amount === undefined
      ? {}
      : { sub_total_amount: amountIn(sub_total_amount, 'sub_total_amount') }
  if (after !== null) {
    const isAsItIs = tax === undefined || tax === current.tax_amount || tax === (isOn ? after : 0)
    return { taken, tax: undefined, ignored: isAsItIs ? ignored : [...ignored, 'tax_amount'] }
  }
  if (!tax || isOn) return { taken, tax, ignored }
  if (is_tax_on === undefined)
    throw invalid(
      'tax_amount',
      'tax_is_off',
      'There is no tax while "is_tax_on" is false; send is_tax_on: true with it.',
    )
  return { taken, tax, ignored: [...ignored, 'tax_amount'] }
}

function requireCurrencyFree(
  { noun }: Shape,
  current: Document,
  applied: Partial<Document>,
  { hasLines }: Facts,
): void {
  if (applied.currency_id === undefined || applied.currency_id === current.currency_id) return
  if (current.status_id !== 'draft' && current.status_id !== 'saved')
    throw conflict('currency_is_fixed', `The currency of ${withArticle(current.status_id)} ${noun} cannot change.`)
  if (current.status_id === 'saved' && applied.currency_id === null)
    throw invalid(
      'currency_id',
      'currency_required',
      `${capitalize(withArticle(noun))} that is no draft needs a currency.`,
    )
  if (hasLines && current.status_id === 'saved')
    throw conflict(
      'currency_has_lines',
      `The ${noun} has lines in its currency. Make it a draft again first, or remove the lines.`,
    )
}

/** What saving a draft requires and adds. The number is added by the store, which has the counter. */
function completion(
  { noun, date }: Shape,
  document: Document,
  { now, payTermDays, defaultTerm }: Facts,
): Record<string, unknown> {
  if (document.currency_id === null)
    throw invalid(
      'currency_id',
      'currency_required',
      `${capitalize(withArticle(noun))} needs a currency before it can be saved; set "currency_id".`,
    )
  const dated = ((document as Record<string, unknown>)[date] as string | null) ?? toWire(now)
  if (document.due_date !== null) return { [date]: dated }
  if (document.pay_term_id === null && defaultTerm)
    return { [date]: dated, pay_term_id: defaultTerm.id, due_date: dueAfter(dated, defaultTerm.days, date) }
  return { [date]: dated, due_date: payTermDays === null ? null : dueAfter(dated, payTermDays, date) }
}
