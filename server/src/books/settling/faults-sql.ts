import { join, type Statement, sql } from '../../platform/db/sql/sql.ts'

const withStatement = sql`from bills b join consolidated_bills s on s.org_id = b.org_id and s.id = b.consolidated_bill_id`
const statements = sql`from (
  select s.*, coalesce(sums.bills, 0) as bills, sums.unpaid, sums.largest from consolidated_bills s left join (
    select org_id, consolidated_bill_id as id, count(*) as bills, count(*) filter (where status_id <> 'paid') as unpaid,
      greatest(abs(sum(sub_total_amount)), abs(sum(tax_amount)), abs(sum(total_amount))) as largest
    from bills where consolidated_bill_id is not null group by org_id, consolidated_bill_id) sums using (org_id, id)) statements`

/** What does not add up between bills and statements, and in statements, as rows of org_id, what, id and fault. */
export const settlingFaults: Statement = join(
  [
    sql`select org_id, 'bill', id, 'is a draft on a statement' from bills where status_id = 'draft' and consolidated_bill_id is not null`,
    sql`select b.org_id, 'bill', b.id, 'is on a statement that does not exist' from bills b left join consolidated_bills s
      on s.org_id = b.org_id and s.id = b.consolidated_bill_id where b.consolidated_bill_id is not null and s.id is null`,
    sql`select b.org_id, 'bill', b.id, 'is on the statement ' || s.id || ' of another payee' ${withStatement} where s.partner_carrier_id is distinct from b.partner_carrier_id`,
    sql`select b.org_id, 'bill', b.id, 'is on the statement ' || s.id || ' in another currency' ${withStatement} where s.currency_id is distinct from b.currency_id`,
    sql`select org_id, 'statement', id, 'is ' || status_id || ' and ' || case when paid_at is null then 'has no' else 'has a' end || ' time of payment'
      ${statements} where (status_id = 'paid') <> (paid_at is not null)`,
    sql`select org_id, 'statement', id, 'is paid, and ' || unpaid || ' of its bills are not' ${statements} where status_id = 'paid' and unpaid > 0`,
    sql`select org_id, 'statement', id, 'is ' || status_id || ' without a number or without bills' ${statements} where status_id <> 'draft' and (number is null or bills = 0 and voided_at is null)`,
    sql`select org_id, 'statement', id, 'was voided, and has ' || bills || ' bills' ${statements} where voided_at is not null and bills > 0`,
    sql`select org_id, 'statement', id, 'has sums beyond what can be kept exactly' ${statements} where largest > 9007199254740991`,
    sql`select n.org_id, 'statement', n.id, 'has the number ' || n.number || ', and the counter stands at ' || coalesce(c.value, 0)
      from consolidated_bills n left join counters c on c.org_id = n.org_id and c.name = 'consolidated_bill' where n.number > coalesce(c.value, 0)`,
  ],
  sql` union all `,
)
