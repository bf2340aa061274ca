import type { Context } from '../../context.ts'
import type { Pool } from '../../db/connect.ts'
import { readAllOrganizations } from '../../db/organizations.ts'
import { sql } from '../../db/sql.ts'

/** Organizations with bills that were paid before payments were recorded. */
export async function listOrganizationsBehind({ transaction }: Pick<Pool, 'transaction'>): Promise<string[]> {
  const rows = await transaction(async (run) => {
    await readAllOrganizations(run)
    return run<{ org_id: string }>(sql`
      select o.org_id from organizations o where exists (
        select from bills b where b.org_id = o.org_id and b.status_id = 'paid' and b.unpaid_status_id is null) order by o.org_id`)
  })
  return rows.map(({ org_id }) => org_id)
}

/** Tells PostgreSQL how many payments there are: the plans that it made for few of them check each new one against all of its party. */
export async function refreshStatistics({ run }: Pick<Pool, 'run'>): Promise<void> {
  await run(sql`analyze payments, allocations`)
}

export type PaidBill = {
  id: string
  currency_id: string
  partner_carrier_id: string | null
  total_amount: number
  paid_at: string
  created_by: string
}

/**
 * Some of the bills behind this one that have no payment yet, locked. Those that somebody else has locked have their turn later. Begun anew each time, the
 * index would be read through everything that was done before.
 */
export async function lockWithoutPayment({ org, run }: Context, after: string, most: number): Promise<PaidBill[]> {
  const rows = await run<PaidBill>(sql`
    select id, currency_id, partner_carrier_id, total_amount, wire_time(paid_at) as paid_at, created_by from bills
    where org_id = ${org} and id > ${after} and status_id = 'paid' and unpaid_status_id is null order by id limit ${most} for update skip locked`)
  return rows.map((row) => ({ ...row, total_amount: Number(row.total_amount) }))
}

/** What was paid of them is known now. Nothing that a client sees of them changes, so neither does their revision. */
export async function savePaid({ org, run }: Context, ids: readonly string[]): Promise<void> {
  await run(sql`
    update bills set amount_paid = total_amount, unpaid_status_id = case when sent_at is null then 'saved' else 'sent' end
    where org_id = ${org} and id = any(${ids}::uuid[])`)
}
