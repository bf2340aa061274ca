import type { Context } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/sql/sql.ts'
import { setOffsOf } from './set-offs-sql.ts'

export type IssuedRow = {
  id: string
  number: string
  currency_id: string
  pay_on: string
  issued_at: string | null
  account_name: string | null
  company_id: string | null
  ach_file: string | null
  sealed: string | null
  payments: {
    payment_id: string
    number: string
    method: string
    amount: number
    payee_id: string
    payee_name: string
    sealed: string | null
    address: Record<string, string | null> | null
    references: string[]
  }[]
}

/** A run that was issued before there was a paying account takes the one that there is now, once: a payment must not move from one bank file to another. */
export async function keepAccount(ctx: Context, run: string): Promise<void> {
  await ctx.run(sql`
    update payment_runs r set account_name = a.name, company_id = a.company_id, ach_file = a.ach_file, bank_details_sealed = a.bank_details_sealed
    from paying_accounts a
    where r.org_id = ${ctx.org} and r.id = ${run} and r.issued_at is not null and r.bank_details_sealed is null
      and a.org_id = r.org_id and a.currency_id = r.currency_id`)
}

/** A run as it was issued, also with the payments that came back. Of older runs how a payment was made and what it named is as it is now. */
export async function findIssued(ctx: Context, id: string): Promise<IssuedRow | undefined> {
  const [row] = await ctx.run<IssuedRow>(sql`
    select r.id, 'RUN-' || lpad(r.number::text, greatest(6, length(r.number::text)), '0') as number, r.currency_id, r.pay_on::text as pay_on, wire_time(r.issued_at) as issued_at,
      r.account_name, r.company_id, r.ach_file, r.bank_details_sealed as sealed, coalesce((
        select json_agg(json_build_object('payment_id', p.payment_id, 'number', 'PAY-' || lpad(m.number::text, greatest(6, length(m.number::text)), '0'), 'method', coalesce(p.method, m.method),
          'amount', m.amount, 'payee_id', p.payee_id, 'payee_name', p.payee_name, 'sealed', p.bank_details_sealed, 'address', p.address, 'references', coalesce(p.bill_references::json, (
            select coalesce(json_agg(coalesce(b.reference_number, 'BILL-' || lpad(b.number::text, greatest(6, length(b.number::text)), '0')) order by i.bill_id), '[]')
            from payment_run_items i join bills b on b.org_id = i.org_id and b.id = i.bill_id where i.org_id = ${ctx.org} and i.payment_id = p.payment_id))) order by m.number)
        from payment_run_payments p join payments m on m.org_id = p.org_id and m.id = p.payment_id where p.org_id = ${ctx.org} and p.run_id = r.id), '[]') as payments
    from payment_runs r where r.org_id = ${ctx.org} and r.id = ${id}`)
  return row
}

/** What each payee of a run is told: its payments, and what of which bill each pays. */
export async function findAdvices(ctx: Context, id: string): Promise<string> {
  const [row] = await ctx.run<{ list: string }>(sql`
    select coalesce(json_agg(advice order by advice ->> 'payee_name', advice ->> 'payee_id'), '[]')::text as list from (
      select json_build_object('payee_id', p.payee_id, 'payee_name', min(p.payee_name), 'remittance_email', min(p.remittance_email), 'currency_id', min(m.currency_id),
        'total_amount', sum(m.amount)::bigint, 'payments', json_agg(json_build_object('payment_id', p.payment_id,
          'number', 'PAY-' || lpad(m.number::text, greatest(6, length(m.number::text)), '0'), 'method', m.method, 'paid_at', wire_time(m.paid_at),
          'partner_carrier_id', m.partner_carrier_id, 'amount', m.amount, 'set_offs', (${setOffsOf(ctx.org, sql`p.payment_id`)}), 'bills', (
            select coalesce(json_agg(json_build_object('bill_id', i.bill_id, 'number', 'BILL-' || lpad(b.number::text, greatest(6, length(b.number::text)), '0'),
              'reference_number', b.reference_number, 'bill_date', wire_time(b.bill_date), 'total_amount', b.total_amount, 'discount_amount', i.discount_amount,
              'set_off_amount', i.set_off_amount, 'amount', i.amount) order by b.bill_date, i.bill_id), '[]')
            from payment_run_items i join bills b on b.org_id = i.org_id and b.id = i.bill_id where i.org_id = ${ctx.org} and i.payment_id = p.payment_id)) order by m.number)) as advice
      from payment_run_payments p join payments m on m.org_id = p.org_id and m.id = p.payment_id
      where p.org_id = ${ctx.org} and p.run_id = ${id} and m.status <> 'voided' group by p.payee_id) as advices`)
  return row?.list ?? '[]'
}
