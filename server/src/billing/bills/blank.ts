import type { Context } from '../../context.ts'
import { newId } from '../../core/ids.ts'
import type { Bill } from './model.ts'

/** A bill before anything is said of it. */
export function blankBill({ org, actor }: Pick<Context, 'org' | 'actor'>, external_id: string | null): Bill {
  const now = new Date().toISOString()
  const nothing = {
    currency_id: null,
    pay_term_id: null,
    master_trip_id: null,
    partner_carrier_id: null,
    due_date: null,
    send_to_email: null,
    cc_to_email: null,
    bill_to: null,
    remit_to: null,
    notes: null,
    reference_number: null,
    qb_external_id: null,
    qb_error_msg: null,
    qb_exported_at: null,
    sent_at: null,
    paid_at: null,
    number: null,
    consolidated_bill_id: null,
  }
  const sums = { sub_total_amount: 0, tax_amount: 0, total_amount: 0 }
  return {
    ...nothing,
    ...sums,
    id: newId(),
    full_id: newId(),
    org_id: org,
    external_id,
    status_id: 'draft',
    is_tax_on: false,
    revision: 1,
    bill_date: now,
    created_at: now,
    updated_at: now,
    created_by: actor.id,
    available_actions: [],
  }
}
