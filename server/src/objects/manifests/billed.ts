import type { Context } from '../../context.ts'
import { conflict } from '../../core/refusal.ts'
import { sql } from '../../db/sql.ts'

/** What a bill was made from, and so cannot change while there is one. */
const fixed = new Set(['paymentItems', 'partnerId', 'currency'])

/** The JSON text of the wire row `w` of a manifest, and in it the state of its bill where there is one. */
export const withBill = sql`left(w.json, -1) || coalesce((
  select ',"billId":' || to_json(b.id) || ',"billStatusId":' || (b.json::json -> 'status_id') || ',"billNumber":' || (b.json::json -> 'number')
  from manifest_bills m join bills_wire b on b.org_id = m.org_id and b.id = m.bill_id where m.org_id = w.org_id and m.manifest_id = w.id), '') || '}'`

export async function findBillOf(ctx: Context, manifest: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ bill_id: string }>(sql`select bill_id from manifest_bills where org_id = ${ctx.org} and manifest_id = ${manifest}`)
  return row?.bill_id
}

/** Called with the object locked. `changed` are the fields that are about to change; without any, the object is about to go. */
export async function requireUnbilled(ctx: Context, { objectKey }: { objectKey: string }, id: string, changed?: readonly string[]): Promise<void> {
  if (objectKey !== 'manifest' || changed?.every((field) => !fixed.has(field))) return
  const bill = await findBillOf(ctx, id)
  if (bill === undefined) return
  const what = changed ? 'its payment items, carrier and currency are fixed' : 'it cannot be deleted'
  throw conflict('billed', `The bill ${bill} pays for this manifest, so ${what}. Delete that bill while it is a draft, or change the bill instead.`)
}
