import type { Context } from '../../../platform/context.ts'
import { recordAsOf } from '../../../platform/events/history/as-of.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import type { Kind } from '../model/kind/kind.ts'
import { isSeen } from '../store/access.ts'
import { findAround } from './as-of-store.ts'
import { pathsOf, subjectIn } from './paths.ts'

/** The whole answer about a document as it stood at a moment. Where it was not there then, it is not found. */
export async function readAsOf(ctx: Context, kind: Kind, params: unknown, as_of: string): Promise<string> {
  const { unknown } = pathsOf(kind)
  const { id } = await subjectIn(ctx, kind, params)
  const stood = await recordAsOf(ctx, { type: kind.noun, id }, as_of)
  if (stood === undefined) throw unknown(params)
  const { [kind.lines.plural]: kept = [], ...data } = JSON.parse(stood)
  if (!isSeen(ctx, kind, data)) throw unknown(params)
  const [term, around] = await Promise.all([
    data.pay_term_id && recordAsOf(ctx, { type: 'pay_term', id: data.pay_term_id }, as_of),
    findAround(ctx, data),
  ])
  // A pay term from before there were events is shown as it is now.
  const pay_term = term ?? around.pay_term
  const document: Record<string, unknown> = { ...paidPartOf(data), ...data }
  const lines = (kept as Record<string, unknown>[]).map((line) => ({ ...absentOf(kind.schemas.Line), ...line }))
  return JSON.stringify({
    // What an event says besides, such as a reason, is no field; a field that came later than the event has its value in a new document.
    [kind.noun]: Object.fromEntries(
      Object.entries(kind.fields).map(([name, { blank }]) => [name, document[name] ?? blank]),
    ),
    created_by: document.created_by ?? null,
    [kind.lines.noun]: lines[0] ?? null,
    [kind.lines.plural]: lines,
    pay_term: pay_term && JSON.parse(pay_term),
    currency_info: around.currency_info && JSON.parse(around.currency_info),
  })
}

function absentOf({ properties }: { properties?: object }): Record<string, null> {
  return Object.fromEntries(Object.keys(properties ?? {}).map((name) => [name, null]))
}

/** Of an event from before payments were recorded: what is paid is paid whole. */
function paidPartOf({
  status_id,
  total_amount,
}: Document): Pick<Document, 'amount_paid' | 'amount_due' | 'payment_status'> {
  const isPaid = status_id === 'paid'
  return {
    amount_paid: isPaid ? total_amount : 0,
    amount_due: isPaid ? 0 : total_amount,
    payment_status: isPaid ? 'paid' : 'unpaid',
  }
}
