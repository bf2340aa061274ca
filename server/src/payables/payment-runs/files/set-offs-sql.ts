import { type Statement, sql } from '../../../platform/db/sql/sql.ts'

/** What is set off in a payment of a run, as a list in JSON. */
export function setOffsOf(org: string, payment: Statement): Statement {
  return sql`select coalesce(json_agg(json_build_object('id', s.id, 'credit_id', s.credit_id, 'payment_id', s.from_payment_id,
      'number', coalesce('CR-' || lpad(c.number::text, greatest(6, length(c.number::text)), '0'), 'PAY-' || lpad(e.number::text, greatest(6, length(e.number::text)), '0')),
      'reference_number', coalesce(c.reference_number, e.reference_number), 'amount', s.amount) order by s.id), '[]')
    from payment_run_set_offs s left join credits c on c.org_id = s.org_id and c.id = s.credit_id
      left join payments e on e.org_id = s.org_id and e.id = s.from_payment_id
    where s.org_id = ${org} and s.payment_id = ${payment}`
}
