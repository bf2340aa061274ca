import type { Context } from '../context.ts'
import { conflict, type Refusal } from '../core/refusal.ts'
import type { Extension, Touched } from '../objects/kinds/extension.ts'
import { billFields } from './bill-fields-sql.ts'
import { listBills } from './store.ts'

/** The fields of a manifest that its bill was made from: they cannot change while there is a bill. */
const billedFields = new Set(['paymentItems', 'partnerId', 'currency'])

/** What a bill adds to a manifest: fields that show it, and what it keeps from being changed. */
export const manifestBills: Extension = { objectKey: 'manifest', fields: billFields, findFixed }

async function findFixed(ctx: Context, touched: readonly Touched[]): Promise<ReadonlyMap<string, Refusal>> {
  const asked = touched.filter(({ changed }) => !changed || changed.some((field) => billedFields.has(field)))
  const bills = await listBills(
    ctx,
    asked.map(({ id }) => id),
  )
  const deleted = new Set(asked.filter(({ changed }) => !changed).map(({ id }) => id))
  return new Map(bills.map(({ manifest_id, bill_id }) => [manifest_id, billed(bill_id, deleted.has(manifest_id))]))
}

function billed(bill: string, deleted: boolean): Refusal {
  const what = deleted ? 'it cannot be deleted' : 'its payment items, carrier and currency are fixed'
  return conflict('billed', `The bill ${bill} pays for this manifest, so ${what}. Delete that bill while it is a draft, or change the bill instead.`)
}
