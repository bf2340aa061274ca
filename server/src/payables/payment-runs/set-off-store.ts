import { type Context, together } from '../../platform/context.ts'
import { collision } from '../../platform/db/pool/away.ts'
import { violatedConstraint } from '../../platform/db/sql/constraints.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'
import { mostSetOffs } from './model.ts'
import type { OwedAmount, SetOff } from './rules.ts'

/** What carriers owe us and no run sets off: the oldest first, credits before payments, locked against whoever uses it up. */
export async function lockOwing(ctx: Context, currency_id: string, carriers: readonly string[]): Promise<OwedAmount[]> {
  if (carriers.length === 0) return []
  const credits = sql`from credits c where ${openCredit(ctx.org)} and c.partner_carrier_id = any(${carriers}::uuid[]) and c.currency_id = ${currency_id}
    and not exists (select from payment_run_set_offs s where s.org_id = ${ctx.org} and s.credit_id = c.id and s.state = 'planned')`
  const payments = sql`from payments p where ${openPayment(ctx.org)} and p.payee_id = any(${carriers}::uuid[]) and p.partner_carrier_id is not null and p.currency_id = ${currency_id}
    and not exists (select from payment_run_set_offs s where s.org_id = ${ctx.org} and s.from_payment_id = p.id and s.state = 'planned')`
  const [, , ofCredits, ofPayments] = await together(
    ctx.run(sql`select c.id ${credits} order by c.id for update`),
    ctx.run(sql`select p.id ${payments} order by p.id for update`),
    ctx.run<OwedAmount>(sql`
      select c.partner_carrier_id, c.id as credit_id, null as from_payment_id, c.total_amount - coalesce(c.amount_paid, 0) as amount ${credits}
      order by c.credit_date, c.id limit ${mostSetOffs}`),
    ctx.run<OwedAmount>(sql`
      select p.partner_carrier_id, null as credit_id, p.id as from_payment_id, p.amount - p.allocated_amount - p.refunded_amount as amount ${payments}
      order by p.paid_at, p.id limit ${mostSetOffs}`),
  )
  return [...ofCredits, ...ofPayments].slice(0, mostSetOffs).map((one) => ({ ...one, amount: Number(one.amount) }))
}

/** What is left of what a run sets off, locked. What cannot be set off any more is missing. */
export async function lockLeft(ctx: Context, setOffs: readonly SetOff[]): Promise<{ id: string; amount: number }[]> {
  const credits = setOffs.flatMap(({ credit_id }) => credit_id ?? [])
  const payments = setOffs.flatMap(({ from_payment_id }) => from_payment_id ?? [])
  const [, , ofCredits, ofPayments] = await together(
    ctx.run(
      sql`select c.id from credits c where c.org_id = ${ctx.org} and c.id = any(${credits}::uuid[]) order by c.id for update`,
    ),
    ctx.run(
      sql`select p.id from payments p where p.org_id = ${ctx.org} and p.id = any(${payments}::uuid[]) order by p.id for update`,
    ),
    ctx.run<{ id: string; amount: number }>(
      sql`select c.id, c.total_amount - coalesce(c.amount_paid, 0) as amount from credits c where ${openCredit(ctx.org)} and c.id = any(${credits}::uuid[])`,
    ),
    ctx.run<{ id: string; amount: number }>(
      sql`select p.id, p.amount - p.allocated_amount - p.refunded_amount as amount from payments p where ${openPayment(ctx.org)} and p.id = any(${payments}::uuid[])`,
    ),
  )
  return [...ofCredits, ...ofPayments].map(({ id, amount }) => ({ id, amount: Number(amount) }))
}

function openCredit(org: string): Statement {
  return sql`c.org_id = ${org} and c.direction = 'out' and c.status_id in ('saved', 'sent', 'edited') and c.voided_at is null and c.total_amount > coalesce(c.amount_paid, 0)
    and c.total_amount > 0`
}

/** What is only recorded says that a document was paid, and goes with that document. */
function openPayment(org: string): Statement {
  return sql`p.org_id = ${org} and p.direction = 'out' and p.status in ('issued', 'cleared') and p.allocated_amount <> p.amount and p.amount > 0 and p.method <> 'recorded'
    and p.allocated_amount + p.refunded_amount < p.amount`
}

export async function insertSetOffs(ctx: Context, run: string, setOffs: readonly SetOff[]): Promise<void> {
  if (setOffs.length === 0) return
  await ctx
    .run(sql`
      insert into payment_run_set_offs (org_id, id, run_id, payment_id, credit_id, from_payment_id, amount)
      select own.org_id, n.id, ${run}::uuid, n.payment_id, n.credit_id, n.from_payment_id, n.amount
      from organizations own cross join jsonb_to_recordset(${JSON.stringify(setOffs)}::text::jsonb)
        as n(id uuid, payment_id uuid, credit_id uuid, from_payment_id uuid, amount bigint) where own.org_id = ${ctx.org}`)
    .catch((error) => {
      const inOneRun = ['payment_run_credit_is_in_one_run', 'payment_run_earlier_payment_is_in_one_run']
      throw inOneRun.includes(violatedConstraint(error) ?? '')
        ? collision('what a carrier owes was put in another payment run meanwhile')
        : error
    })
}

/** What a run, which the caller has locked, sets off; in the order in which it settles bills. */
export async function listSetOffs(ctx: Context, run: string): Promise<SetOff[]> {
  const rows = await ctx.run<SetOff>(
    sql`select id, payment_id, credit_id, from_payment_id, amount from payment_run_set_offs where org_id = ${ctx.org} and run_id = ${run} order by id`,
  )
  return rows.map((row) => ({ ...row, amount: Number(row.amount) }))
}

export async function deleteSetOff(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from payment_run_set_offs where org_id = ${ctx.org} and id = ${id}`)
}

export type AppliedSetOff = { id: string; from_credit_id: string | null; payment_id: string | null }

/** What a run has applied to the bills of one of its payments, while it counts. */
export function listAppliedBy(ctx: Context, run: string, payment: string): Promise<AppliedSetOff[]> {
  return ctx.run<AppliedSetOff>(sql`
    select a.id, a.from_credit_id, a.payment_id from allocations a
    join payment_run_items i on i.org_id = ${ctx.org} and i.run_id = a.payment_run_id and i.bill_id = a.bill_id
    where a.org_id = ${ctx.org} and a.payment_run_id = ${run} and i.payment_id = ${payment} and a.ended_at is null order by a.from_credit_id, a.payment_id, a.bill_id`)
}
