import type { Pool } from '../db/connect.ts'
import type { Run } from '../db/rows.ts'
import { tallyFaults } from '../db/tally-faults.ts'
import { billTallies } from './bills/counted.ts'

/**
 * Reads all books of all organizations and says in sentences what does not add up. Constraints keep most of it true within a row; this looks
 * across rows too, and does not take the constraints' word for it. Runs with the rights of the schema's owner.
 */
export async function verifyBooks(pool: Pool): Promise<string[]> {
  return pool.transaction(faultsIn, 'begin isolation level repeatable read read only')
}

/** The same within a transaction under way. */
export async function faultsIn(run: Run): Promise<string[]> {
  const [guarded] = await run<{ here: boolean }>({ text: `select row_security_active('bills') as here`, values: [] })
  if (!guarded?.here) return everyFault(run)
  // Forced row-level security shows an owner who is no superuser one organization at a time.
  const organizations = await run<{ org_id: string }>({ text: 'select org_id from organizations order by org_id', values: [] })
  const found: string[] = []
  for (const { org_id } of organizations) {
    await run({ text: `select set_config('app.org_id', $1, true)`, values: [org_id] })
    found.push(...(await everyFault(run)))
  }
  return found
}

/** The sums first, then whether the numbers of bills are those that the tallies say. */
async function everyFault(run: Run): Promise<string[]> {
  const found = [...(await run<{ fault: string }>({ text: faults, values: [] }))]
  for (const { text, values } of Object.values(billTallies).map(tallyFaults)) found.push(...(await run<{ fault: string }>({ text, values })))
  return found.map(({ fault }) => fault)
}

const faults = `
  with lines as (
    select org_id, bill_id, count(*) as number_of, sum(total_amount) as total_amount, min(position) as first, max(position) as last, count(distinct position) as places
    from bill_items group by org_id, bill_id
  ), statements as (
    select s.*, coalesce(sums.bills, 0) as bills, sums.unpaid, sums.largest from consolidated_bills s left join (
      select org_id, consolidated_bill_id as id, count(*) as bills, count(*) filter (where status_id <> 'paid') as unpaid,
        greatest(abs(sum(sub_total_amount)), abs(sum(tax_amount)), abs(sum(total_amount))) as largest
      from bills where consolidated_bill_id is not null group by org_id, consolidated_bill_id) sums using (org_id, id)
  ), found (org_id, what, id, fault) as (
    select org_id, 'line', id, 'has the total ' || total_amount || ', which is not ' || unit_price || ' times ' || quantity
      from bill_items where total_amount <> unit_price::numeric * quantity::numeric
    union all select b.org_id, 'bill', b.id, 'has the sub total ' || b.sub_total_amount || ', and lines of ' || l.total_amount
      from bills b join lines l on l.org_id = b.org_id and l.bill_id = b.id where b.sub_total_amount <> l.total_amount
    union all select org_id, 'bill', id, 'has the total ' || total_amount || ', which is not its sub total and its tax'
      from bills where total_amount::numeric <> sub_total_amount::numeric + tax_amount::numeric
    union all select org_id, 'bill', id, 'has a tax of ' || tax_amount || ' though tax is off' from bills where not is_tax_on and tax_amount <> 0
    union all select org_id, 'bill', bill_id, 'has lines whose places do not run from 1 to ' || number_of
      from lines where first <> 1 or last <> number_of or places <> number_of
    union all select org_id, 'bill', id, 'is ' || status_id || ' and ' || case when paid_at is null then 'has no' else 'has a' end || ' time of payment'
      from bills where (status_id = 'paid') <> (paid_at is not null)
    union all select org_id, 'bill', id, 'is sent and has no time of sending' from bills where status_id = 'sent' and sent_at is null
    union all select org_id, 'bill', id, 'is ' || status_id || ' without a number or a currency'
      from bills where status_id <> 'draft' and (number is null or currency_id is null)
    union all select org_id, 'bill', id, 'is a draft on a statement' from bills where status_id = 'draft' and consolidated_bill_id is not null
    union all select b.org_id, 'bill', b.id, 'is on a statement that does not exist' from bills b left join consolidated_bills s
      on s.org_id = b.org_id and s.id = b.consolidated_bill_id where b.consolidated_bill_id is not null and s.id is null
    union all select b.org_id, 'bill', b.id, 'is on the statement ' || s.id || ' of another payee' from bills b join consolidated_bills s
      on s.org_id = b.org_id and s.id = b.consolidated_bill_id where s.partner_carrier_id is distinct from b.partner_carrier_id
    union all select b.org_id, 'bill', b.id, 'is on the statement ' || s.id || ' in another currency' from bills b join consolidated_bills s
      on s.org_id = b.org_id and s.id = b.consolidated_bill_id where s.currency_id is distinct from b.currency_id
    union all select org_id, 'statement', id, 'is ' || status_id || ' and ' || case when paid_at is null then 'has no' else 'has a' end || ' time of payment'
      from statements where (status_id = 'paid') <> (paid_at is not null)
    union all select org_id, 'statement', id, 'is paid, and ' || unpaid || ' of its bills are not' from statements where status_id = 'paid' and unpaid > 0
    union all select org_id, 'statement', id, 'is ' || status_id || ' without a number or without bills'
      from statements where status_id <> 'draft' and (number is null or bills = 0)
    union all select org_id, 'statement', id, 'has sums beyond what can be kept exactly' from statements where largest > 9007199254740991
    union all select n.org_id, n.what, n.id, 'has the number ' || n.number || ', and the counter stands at ' || coalesce(c.value, 0) from (
        select org_id, 'bill' as what, 'bill' as counter, id, number from bills
        union all select org_id, 'statement', 'consolidated_bill', id, number from consolidated_bills) n
      left join counters c on c.org_id = n.org_id and c.name = n.counter where n.number > coalesce(c.value, 0)
  )
  select 'The ' || what || ' ' || id || ' of the organization ' || org_id || ' ' || fault || '.' as fault from found order by org_id, what, id`
