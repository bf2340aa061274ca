import type { Context } from '../context.ts'
import { conflict, type Refusal } from '../core/refusal.ts'
import { sql } from '../db/sql.ts'

/** What a bill was made from, and so cannot change while there is one. */
const fixed = new Set(['paymentItems', 'partnerId', 'currency'])

export async function findBillOf(ctx: Context, manifest: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ bill_id: string }>(sql`select bill_id from manifest_bills where org_id = ${ctx.org} and manifest_id = ${manifest}`)
  return row?.bill_id
}

/** An object that is about to change, in which fields, or without any about to go. */
type Touched = { objectKey: string; id: string; changed?: readonly string[] | undefined }

/** Called with the object locked. */
export async function requireUnbilled(ctx: Context, { objectKey }: { objectKey: string }, id: string, changed?: readonly string[]): Promise<void> {
  const [refusal] = (await findBilled(ctx, [{ objectKey, id, changed }])).values()
  if (refusal) throw refusal
}

/** Why some of them must stay as they are, by their ids. Called with the objects locked. */
export async function findBilled(ctx: Context, touched: readonly Touched[]): Promise<Map<string, Refusal>> {
  const asked = touched.filter(({ objectKey, changed }) => objectKey === 'manifest' && !changed?.every((field) => !fixed.has(field)))
  if (asked.length === 0) return new Map()
  const bills = await ctx.run<{ manifest_id: string; bill_id: string }>(sql`
    select manifest_id, bill_id from manifest_bills where org_id = ${ctx.org} and manifest_id = any(${asked.map(({ id }) => id)}::uuid[])`)
  const going = new Set(asked.filter(({ changed }) => !changed).map(({ id }) => id))
  return new Map(bills.map(({ manifest_id, bill_id }) => [manifest_id, billed(bill_id, going.has(manifest_id))]))
}

function billed(bill: string, going: boolean): Refusal {
  const what = going ? 'it cannot be deleted' : 'its payment items, carrier and currency are fixed'
  return conflict('billed', `The bill ${bill} pays for this manifest, so ${what}. Delete that bill while it is a draft, or change the bill instead.`)
}
