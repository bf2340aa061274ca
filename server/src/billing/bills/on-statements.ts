import type { Context } from '../../context.ts'
import { conflict, invalidAll } from '../../core/refusal.ts'
import { sql, when } from '../../db/sql.ts'
import { updateCounted } from '../../db/tallies.ts'
import { countedBills } from './counted.ts'
import type { Bill } from './model.ts'
import { type Locked, readLocked } from './store.ts'

/** The bills of a statement, locked in the order of their ids. The caller holds the statement's lock. */
export async function lockBillsOf(ctx: Context, statement: string): Promise<Locked[]> {
  const rows = await ctx.run<{ id: string }>(sql`select id from bills where org_id = ${ctx.org} and consolidated_bill_id = ${statement} order by id for update`)
  return readLocked(
    ctx,
    rows.map(({ id }) => id),
  )
}

/** These bills, locked; a refusal names those that are not there. */
export async function lockBills(ctx: Context, ids: readonly string[]): Promise<Locked[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const rows = await ctx.run<{ id: string }>(sql`select id from bills where org_id = ${ctx.org} and id = any(${wanted}::uuid[]) order by id for update`)
  const missing = wanted.filter((id) => !rows.some((row) => row.id === id))
  if (missing.length > 0)
    throw invalidAll(missing.map((id) => ({ field: 'bill_ids', code: 'unknown_bill', message: `There is no bill "${id}" in this organization.` })))
  return readLocked(
    ctx,
    rows.map(({ id }) => id),
  )
}

/** What a payee is owed for a period and no statement has yet: saved, sent or edited bills dated in it. What another takes meanwhile is left out. */
export async function lockUnsettled(
  ctx: Context,
  { payee, from, to, currency_id }: { payee: string; from: string | null; to: string | null; currency_id: string | null },
): Promise<Locked[]> {
  const rows = await ctx.run<{ id: string }>(sql`
    select id from bills where org_id = ${ctx.org} and partner_carrier_id = ${payee} and consolidated_bill_id is null and status_id in ('saved', 'sent', 'edited')
      ${when(from, sql`and bill_date >= ${from}`)} ${when(to, sql`and bill_date <= ${to}`)} ${when(currency_id, sql`and currency_id = ${currency_id}`)}
    order by id for update`)
  return readLocked(
    ctx,
    rows.map(({ id }) => id),
  )
}

/** Bills that can go on one statement together, or a refusal that says which cannot and why. */
export function requireGatherable(bills: readonly Locked[], statement: Statement): void {
  const problems = bills.flatMap(({ bill }) => {
    const why = whyNot(bill, statement)
    return why ? [{ field: 'bill_ids', code: 'not_gatherable', message: `The bill "${bill.id}" ${why}.` }] : []
  })
  if (problems.length > 0)
    throw conflict('not_gatherable', `${problems.length} of the bills cannot go on this statement. First: ${problems[0]?.message}`, problems)
}

type Statement = { currency_id: string; partner_carrier_id: string | null }

function whyNot({ consolidated_bill_id, status_id, currency_id, partner_carrier_id }: Bill, statement: Statement): string | null {
  if (consolidated_bill_id !== null) return 'is on another statement already'
  if (status_id === 'draft') return 'is a draft'
  if (status_id === 'paid') return 'is paid'
  if (currency_id !== statement.currency_id) return `is in ${currency_id} and not in ${statement.currency_id}`
  return partner_carrier_id === statement.partner_carrier_id ? null : 'is of another payee'
}

/** Puts locked bills on a statement, or takes them off it; each counts as changed. */
export async function assignStatement(ctx: Context, ids: readonly string[], statement: string | null): Promise<void> {
  await updateCounted(
    ctx,
    countedBills,
    sql`id = any(${ids}::uuid[])`,
    sql`
      update bills set consolidated_bill_id = ${statement}, revision = revision + 1, updated_at = greatest(clock_timestamp(), created_at)
      where org_id = ${ctx.org} and id = any(${ids}::uuid[])`,
  )
}
