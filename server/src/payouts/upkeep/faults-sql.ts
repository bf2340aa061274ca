import { join, type Statement, sql } from '../../db/sql.ts'

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
    sql`select i.org_id, 'bill', i.bill_id, 'is ' || i.state || ' in a payment run that is ' || r.status
      from payment_run_items i join payment_runs r on r.org_id = i.org_id and r.id = i.run_id where (r.status = 'issued') = (i.state = 'planned')`,
  ],
  sql` union all `,
)
