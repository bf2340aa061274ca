import type { Context } from '../../context.ts'
import { named, sql } from '../../db/sql.ts'

/** Every place in which bank details are kept, its key, and the column with the id that they are bound to. */
export const places = [
  { table: 'payees', key: 'id', owner: 'id' },
  { table: 'payee_changes', key: 'id', owner: 'payee_id' },
  { table: 'paying_accounts', key: 'currency_id', owner: 'currency_id' },
  { table: 'payment_runs', key: 'id', owner: 'currency_id' },
  { table: 'payment_run_payments', key: 'payment_id', owner: 'payee_id' },
] as const
export type Place = (typeof places)[number]

export type Kept = { key: string; owner: string; sealed: string }

/** The next ones behind this key, in its order. */
export function listKept(ctx: Context, { table, key, owner }: Place, after: string, most: number): Promise<Kept[]> {
  return ctx.run<Kept>(sql`
    ${named`select ${key}::text as key, ${owner}::text as owner, bank_details_sealed as sealed from ${table}`}
    where org_id = ${ctx.org} and bank_details_sealed is not null and ${named`${key}::text`} > ${after} ${named`order by ${key}::text`} limit ${most}`)
}

/** Only where it is still as it was read: who has changed it meanwhile has encrypted it with the current key. */
export async function saveSealed(ctx: Context, { table, key }: Place, { key: id, sealed }: Kept, again: string): Promise<void> {
  await ctx.run(
    sql`${named`update ${table} set bank_details_sealed = `}${again} where org_id = ${ctx.org} and ${named`${key}::text`} = ${id} and bank_details_sealed = ${sealed}`,
  )
}
