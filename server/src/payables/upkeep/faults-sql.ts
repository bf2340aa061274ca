import { join, type Statement, sql } from '../../platform/db/sql/sql.ts'

/** What does not add up in payment runs, as rows of org_id, what, id and fault: the bills of a run, its payments and what those settle say the same. */
export const runFaults: Statement = join(
  [
    sql`select p.org_id, 'payment', p.payment_id as id, 'comes to ' || m.amount || ', and its bills in the payment run to ' || coalesce(i.amount, 0) as fault
      from payment_run_payments p join payments m on m.org_id = p.org_id and m.id = p.payment_id
      left join (select org_id, payment_id, sum(amount) as amount from payment_run_items group by org_id, payment_id) i on i.org_id = p.org_id and i.payment_id = p.payment_id
      where m.amount <> coalesce(i.amount, 0)`,
    sql`select p.org_id, 'payment', p.payment_id, 'is ' || m.status || ' in a payment run that is ' || r.status
      from payment_run_payments p join payments m on m.org_id = p.org_id and m.id = p.payment_id join payment_runs r on r.org_id = p.org_id and r.id = p.run_id
      where (r.status = 'issued') = (m.status = 'draft') or (m.status = 'voided') <> (p.returned_at is not null) or m.payment_run_id is distinct from p.run_id`,
    sql`select i.org_id, 'bill', i.bill_id, 'is paid ' || i.amount || ' by a payment run, and by the payment of it ' || coalesce(a.amount, 0)
      from payment_run_items i
      left join (select org_id, payment_id, bill_id, sum(amount) as amount from allocations where ended_at is null and payment_id is not null group by org_id, payment_id, bill_id) a
        on a.org_id = i.org_id and a.payment_id = i.payment_id and a.bill_id = i.bill_id
      where case when i.state = 'paid' then coalesce(a.amount, 0) <> i.amount else a.amount is not null end`,
    sql`select i.org_id, 'bill', i.bill_id, 'was reduced by ' || i.discount_amount || ' in a payment run, and the credit for it settles ' || coalesce(a.amount, 0)
      from payment_run_items i join payment_run_payments p on p.org_id = i.org_id and p.payment_id = i.payment_id
      left join (select org_id, from_credit_id, bill_id, sum(amount) as amount from allocations where ended_at is null and from_credit_id is not null
        group by org_id, from_credit_id, bill_id) a on a.org_id = i.org_id and a.from_credit_id = p.credit_id and a.bill_id = i.bill_id
      where coalesce(a.amount, 0) <> case when i.state = 'paid' then i.discount_amount else 0 end`,
    sql`select p.org_id, 'payment', p.payment_id, 'has bills of which ' || coalesce(i.amount, 0) || ' is set off in the payment run, and what is set off comes to ' || coalesce(s.amount, 0)
      from payment_run_payments p
      left join (select org_id, payment_id, sum(set_off_amount) as amount from payment_run_items group by org_id, payment_id) i on i.org_id = p.org_id and i.payment_id = p.payment_id
      left join (select org_id, payment_id, sum(amount) as amount from payment_run_set_offs group by org_id, payment_id) s on s.org_id = p.org_id and s.payment_id = p.payment_id
      where coalesce(i.amount, 0) <> coalesce(s.amount, 0)`,
    sql`select i.org_id, 'bill', i.bill_id, 'has ' || i.set_off_amount || ' set off in a payment run, and credits and earlier payments settle ' || coalesce(a.amount, 0) || ' for it'
      from payment_run_items i left join (${applied(sql`a.bill_id`)}) a on a.org_id = i.org_id and a.payment_run_id = i.run_id and a.id = i.bill_id
      where coalesce(a.amount, 0) <> case when i.state = 'paid' then i.set_off_amount else 0 end`,
    sql`select s.org_id, case when s.credit_id is null then 'payment' else 'credit' end, coalesce(s.credit_id, s.from_payment_id),
        'is ' || s.state || ' with ' || s.amount || ' in a payment run, and settles ' || coalesce(a.amount, 0) || ' for it'
      from payment_run_set_offs s left join (${applied(sql`coalesce(a.from_credit_id, a.payment_id)`)}) a
        on a.org_id = s.org_id and a.payment_run_id = s.run_id and a.id = coalesce(s.credit_id, s.from_payment_id)
      where coalesce(a.amount, 0) <> case when s.state = 'applied' then s.amount else 0 end`,
    sql`select s.org_id, case when s.credit_id is null then 'payment' else 'credit' end, coalesce(s.credit_id, s.from_payment_id),
        'is ' || s.state || ' in a payment run that is ' || r.status
      from payment_run_set_offs s join payment_runs r on r.org_id = s.org_id and r.id = s.run_id join payment_run_payments p on p.org_id = s.org_id and p.payment_id = s.payment_id
      where (r.status = 'issued') = (s.state = 'planned') or (s.state = 'returned') <> (p.returned_at is not null)`,
    sql`select i.org_id, 'bill', i.bill_id, 'is ' || i.state || ' in a payment run that is ' || r.status
      from payment_run_items i join payment_runs r on r.org_id = i.org_id and r.id = i.run_id where (r.status = 'issued') = (i.state = 'planned')`,
  ],
  sql` union all `,
)

/** What credits and earlier payments settle for payment runs, by run and by what is asked for. Credits for early payment are another matter. */
function applied(by: Statement): Statement {
  return sql`select a.org_id, a.payment_run_id, ${by} as id, sum(a.amount) as amount from allocations a
    where a.ended_at is null and a.payment_run_id is not null
      and not exists (select from payment_run_payments d where d.org_id = a.org_id and d.credit_id = a.from_credit_id) group by a.org_id, a.payment_run_id, ${by}`
}
