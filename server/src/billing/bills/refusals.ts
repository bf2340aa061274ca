import { conflict, invalid, quote, type Refusal } from '../../core/refusal.ts'

/** What a bill names and is not there: said alike whether a rule finds it or a constraint. */
export function unknownPayTerm(id: string | null): Refusal {
  return invalid('pay_term_id', 'unknown_pay_term', `There is no pay term ${quote(id)} in this organization.`)
}

export function unknownCurrency(id: string | null): Refusal {
  return invalid('currency_id', 'unknown_currency', `${quote(id)} is not the lower-case code of an ISO 4217 currency, such as "usd".`)
}

export function unknownItemType(field: string, id: string | undefined): Refusal {
  return invalid(field, 'unknown_bill_item_type', `There is no bill item type${id ? ` ${quote(id)}` : ' of that id'} in this organization.`)
}

export function boundToStatement(): Refusal {
  return conflict('on_a_statement', 'The bill is on a statement of one payee in one currency, so neither can change. Take it off the statement first.')
}
