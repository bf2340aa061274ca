import { payeeOf } from '../../../app/values/address:ts.ts'
import type { Refusal } from '../../documents/selection/refusals.tsx'
import { type Status, statusWords } from '../../documents/states.ts'
import type { Bill } from '../bill.ts'

/** The bills of one payee in one currency: what a statement can gather. */
export type StatementGroup = {
  key: string
  carrier: string | null
  payee: string | null
  currency: string
  bills: readonly Bill[]
}

/** The statements that a selection makes, and the bills that none of them can have. The rules are those of the server. */
export function groupsOf(selected: readonly Bill[]): { groups: StatementGroup[]; left: Refusal<Bill>[] } {
  const left: Refusal<Bill>[] = []
  const free = selected.filter((bill) => {
    const problem = whyNot(bill)
    if (problem) left.push({ document: bill, problem })
    return !problem
  })
  const groups = [...Map.groupBy(free, keyOf)].map(([key, bills]): StatementGroup => {
    const [first] = bills as [Bill]
    return {
      key,
      carrier: first.partner_carrier_id,
      payee: payeeOf(first),
      currency: first.currency_id as string,
      bills,
    }
  })
  return { groups, left }
}

/** Bills without a carrier are of one payee to the server; here their payees are kept apart by name. */
function keyOf({ partner_carrier_id, currency_id, ...bill }: Bill): string {
  return `${partner_carrier_id ?? payeeOf(bill) ?? ''} ${currency_id}`
}

function whyNot({ status_id, consolidated_bill_id }: Bill): string | null {
  const states: Partial<Record<Status, string>> = {
    draft: 'It is a draft. Save it first.',
    paid: `It is ${statusWords.paid.toLowerCase()} already.`,
  }
  return consolidated_bill_id ? 'It is on another statement already.' : (states[status_id] ?? null)
}
