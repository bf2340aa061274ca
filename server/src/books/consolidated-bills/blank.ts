import { newId } from '../../platform/core/values/ids.ts'
import type { Maker } from '../documents/model/blank.ts'
import { contentIn } from '../documents/model/fields/fields.ts'
import { normalId } from '../documents/model/fields/normal.ts'
import { content, statementFields } from './fields.ts'
import type { ConsolidatedBill, NewConsolidatedBill } from './model.ts'

/** What a statement takes over from its first bill. */
type Inherited = Pick<
  ConsolidatedBill,
  'bill_to' | 'remit_to' | 'pay_term_id' | 'send_to_email' | 'cc_to_email' | 'partner_carrier_id'
> & {
  currency_id: string | null
}

/** A new statement. The payee, the currency, the addresses and the term are those of its bills, unless the input names others. */
export function blankStatement(
  { org, createdBy }: Maker,
  input: NewConsolidatedBill,
  first: Inherited,
): ConsolidatedBill {
  const now = new Date().toISOString()
  const { bill_to, remit_to, pay_term_id, send_to_email, cc_to_email } = first
  const blank = Object.fromEntries(
    Object.entries(statementFields).map(([name, field]) => [name, field.blank]),
  ) as unknown as ConsolidatedBill
  return {
    ...blank,
    bill_to,
    remit_to,
    pay_term_id,
    send_to_email,
    cc_to_email,
    partner_carrier_id: normalId(input.partner_carrier_id ?? first.partner_carrier_id),
    currency_id: normalId(input.currency_id ?? first.currency_id) ?? '',
    id: newId(),
    full_id: newId(),
    org_id: org,
    external_id: input.external_id ?? null,
    bill_date: now,
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: createdBy,
    ...contentIn(content, {}, input),
  }
}
