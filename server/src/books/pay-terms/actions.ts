import { type Context, transaction } from '../../platform/context.ts'
import { invalid, quote } from '../../platform/core/refusal.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { requireRecord, updateRecord } from '../../platform/resource/actions.ts'
import type { Content } from './model.ts'
import { payTerms } from './record.ts'
import { findDays } from './store.ts'

/** What the pay term is called by one connector; null takes that away. The mappings of other connectors stay. */
export function mapPayTerm(
  ctx: Context,
  id: string,
  connector_id: string,
  vendor_pay_term_id: string | null,
): Promise<WireRecord> {
  return transaction(ctx, async (ctx) => {
    const current = await requireRecord(ctx, payTerms, { by: 'id', id }, null)
    const { [connector_id]: _before, ...others } = current.connector_mappings as Content['connector_mappings']
    const connector_mappings =
      vendor_pay_term_id === null ? others : { ...others, [connector_id]: { connector_id, vendor_pay_term_id } }
    return updateRecord(ctx, payTerms, { by: 'id', id }, { connector_mappings }, null)
  })
}

/** The days of the term that a bill or a statement names; null for none. */
export async function daysOf(ctx: Context, pay_term_id: string | null): Promise<number | null> {
  if (pay_term_id === null) return null
  const days = await findDays(ctx, pay_term_id)
  if (days === undefined)
    throw invalid('pay_term_id', 'unknown_pay_term', `There is no pay term ${quote(pay_term_id)} in this organization.`)
  return days
}
