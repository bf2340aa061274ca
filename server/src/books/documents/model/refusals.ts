import { invalid, quote, type Refusal } from '../../../platform/core/refusal.ts'
import { type LineType, withSpaces } from './fields/shape.ts'

/** What a document names and is not there: in the same words whether a rule finds it or a constraint. */
export function unknownPayTerm(id: string | null): Refusal {
  return invalid('pay_term_id', 'unknown_pay_term', `There is no pay term ${quote(id)} in this organization.`)
}

export function unknownCurrency(id: string | null): Refusal {
  return invalid(
    'currency_id',
    'unknown_currency',
    `${quote(id)} is not the lower-case code of an ISO 4217 currency, such as "usd".`,
  )
}

export function unknownLineType({ name }: LineType, field: string, id: string | undefined): Refusal {
  return invalid(
    field,
    `unknown_${name}`,
    `There is no ${withSpaces(name)}${id ? ` ${quote(id)}` : ' of that id'} in this organization.`,
  )
}
