import type { Context } from '../../context.ts'
import { newId } from '../../core/ids.ts'
import type { Bill } from '../bills/model.ts'
import { normalId } from '../edits.ts'
import { applied, type ConsolidatedBill, type NewConsolidatedBill } from './model.ts'

/** The payee, the currency, the addresses and the term are those of the bills, where nothing else is said. */
export function blankStatement({ org, actor }: Pick<Context, 'org' | 'actor'>, input: NewConsolidatedBill, first: Bill): ConsolidatedBill {
  const now = new Date().toISOString()
  const nothing = {
    driver_id: null,
    pay_period_start: null,
    pay_period_end: null,
    due_date: null,
    reference_number: null,
    notes: null,
    qb_external_id: null,
    qb_error_msg: null,
    qb_exported_at: null,
    sent_at: null,
    paid_at: null,
    number: null,
    bill_to_company_name: null,
  }
  const inherited = {
    bill_to: first.bill_to,
    remit_to: first.remit_to,
    pay_term_id: first.pay_term_id,
    send_to_email: first.send_to_email,
    cc_to_email: first.cc_to_email,
    partner_carrier_id: normalId(input.partner_carrier_id ?? first.partner_carrier_id),
    currency_id: normalId(input.currency_id ?? first.currency_id) ?? '',
  }
  const sums = { bill_ids: [], bill_count: 0, sub_total_amount: 0, tax_amount: 0, total_amount: 0 }
  const made = {
    ...nothing,
    ...inherited,
    ...sums,
    id: newId(),
    full_id: newId(),
    org_id: org,
    external_id: input.external_id ?? null,
    consolidated_bill_type_id: 'carrier_statement' as const,
    status_id: 'draft' as const,
    bill_date: now,
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: actor.id,
    available_actions: [],
  }
  return { ...made, ...applied({ bill_to: null, remit_to: null }, input) }
}
