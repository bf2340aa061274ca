import type { Context } from '../../platform/context.ts'
import type { Run } from '../../platform/db/sql/rows.ts'
import { join, named, sql } from '../../platform/db/sql/sql.ts'
import type { Secret } from '../../platform/vault/vault.ts'

export type Place = { table: string; key: string; owner: string; column: string; secret: Secret }

const bank = { column: 'bank_details_sealed', secret: 'bank details' } as const
const ofConnections = { table: 'connections', key: 'id', owner: 'id' } as const

/** Every place in which secrets are kept, its key, and the column with the id that they are bound to. */
export const places: readonly Place[] = [
  { table: 'payees', key: 'id', owner: 'id', ...bank },
  { table: 'payee_changes', key: 'id', owner: 'payee_id', ...bank },
  { table: 'paying_accounts', key: 'currency_id', owner: 'currency_id', ...bank },
  { table: 'payment_runs', key: 'id', owner: 'currency_id', ...bank },
  { table: 'payment_run_payments', key: 'payment_id', owner: 'payee_id', ...bank },
  { ...ofConnections, column: 'secrets_sealed', secret: 'connection secrets' },
  { ...ofConnections, column: 'tokens_sealed', secret: 'connection tokens' },
]

export type KeptSecret = { key: string; owner: string; sealed: string }

/** Payments of runs have the details of their payees, under the same keys, and there may be very many of them. */
const looked = places.filter(({ table }) => table !== 'payment_run_payments')

/** In a transaction that reads all organizations. */
export async function listKeyIds(run: Run): Promise<string[]> {
  const ids = looked.map(
    ({ table, column }) =>
      sql`select distinct split_part(${named(column)}, '.', 2) as id from ${named(table)} where ${named(column)} is not null`,
  )
  const rows = await run<{ id: string }>(sql`${join(ids, sql` union `)} order by id`)
  return rows.map(({ id }) => id)
}

/** The next ones behind this key, in its order. */
export function listKept(
  ctx: Context,
  { table, key, owner, column }: Place,
  after: string,
  most: number,
): Promise<KeptSecret[]> {
  return ctx.run<KeptSecret>(sql`
    select ${named(key)}::text as key, ${named(owner)}::text as owner, ${named(column)} as sealed from ${named(table)}
    where org_id = ${ctx.org} and ${named(column)} is not null and ${named(key)}::text > ${after} order by ${named(key)}::text limit ${most}`)
}

/** Only where it is still as it was read: who has changed it meanwhile has encrypted it with the current key. */
export async function saveSealed(
  ctx: Context,
  { table, key, column }: Place,
  { key: id, sealed }: KeptSecret,
  again: string,
): Promise<void> {
  await ctx.run(
    sql`update ${named(table)} set ${named(column)} = ${again} where org_id = ${ctx.org} and ${named(key)}::text = ${id} and ${named(column)} = ${sealed}`,
  )
}
