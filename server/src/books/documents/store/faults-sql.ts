import { join, named, type Statement, sql } from '../../../platform/db/sql/sql.ts'
import { onceFor } from '../model/kind/kind.ts'
import { tablesOf } from '../search/tables-sql.ts'

const or = sql` union all `

/** What does not add up among the documents of a kind, as rows of org_id, what, id and fault. It repeats what constraints say, and looks across rows. */
export const documentFaults = onceFor((kind): Statement => {
  const { documents: table, lines, parentKey } = tablesOf(kind)
  const noun = named(kind.noun)
  const documents = sql`from ${table} b`
  const what = sql`b.org_id, '${noun}', b.id,`
  const sums = sql`(
    select org_id, ${parentKey} as document_id, count(*) as number_of,
      sum(total_amount) as total_amount, sum(tax_amount) as tax_amount, count(tax_rate_id) as carrying,
      min(position) as first, max(position) as last, count(distinct position) as places
    from ${lines} group by org_id, ${parentKey}) l`
  const withLines = sql`${documents} join ${sums} on l.org_id = b.org_id and l.document_id = b.id`
  return join(
    [
      sql`select org_id, 'line' as what, id, 'has the total ' || total_amount || ', which is not ' || unit_price || ' times ' || quantity as fault
        from ${lines} where total_amount <> unit_price::numeric * quantity::numeric`,
      sql`select ${what} 'has the sub total ' || b.sub_total_amount || ', and lines of ' || l.total_amount ${withLines} where b.sub_total_amount <> l.total_amount`,
      sql`select ${what} 'has the total ' || b.total_amount || ', which is not its sub total and its tax'
        ${documents} where b.total_amount::numeric <> b.sub_total_amount::numeric + b.tax_amount::numeric`,
      sql`select ${what} 'has a tax of ' || b.tax_amount || ' though tax is off' ${documents} where not b.is_tax_on and b.tax_amount <> 0`,
      sql`select ${what} 'keeps a tax of ' || b.kept_tax_amount || ' though it counts' ${documents} left join ${sums} on l.org_id = b.org_id and l.document_id = b.id
        where b.is_tax_on and b.kept_tax_amount is not null and coalesce(l.carrying, 0) = 0`,
      sql`select ${what} 'has a tax of ' || b.tax_amount || ', and lines of ' || l.tax_amount ${withLines} where b.is_tax_on and l.carrying > 0 and b.tax_amount <> l.tax_amount`,
      sql`select org_id, 'line', id, 'has a tax of ' || tax_amount || ' without a rate' from ${lines} where tax_rate_id is null and tax_amount <> 0`,
      sql`select ${what} 'has lines whose places do not run from 1 to ' || l.number_of
        ${withLines} where l.first <> 1 or l.last <> l.number_of or l.places <> l.number_of`,
      // Of an inverse rate the decimals are cut off, so a half may round the other way.
      sql`select ${what} 'comes to ' || b.home_total_amount || ' in ' || b.home_currency_id || ', which is not its total at the rate ' || trim_scale(b.exchange_rate)
        ${documents} join currencies c on c.id = b.currency_id join currencies h on h.id = b.home_currency_id
        where abs(b.home_total_amount - round(b.total_amount * b.exchange_rate * power(10::numeric, h.minor_units - c.minor_units)))
          > case when scale(trim_scale(b.exchange_rate)) <= 10 then 0 else 1 end`,
      sql`select ${what} 'is ' || b.status_id || ' and ' || case when b.paid_at is null then 'has no' else 'has a' end || ' time of payment'
        ${documents} where (b.status_id = 'paid') <> (b.paid_at is not null)`,
      sql`select ${what} 'is sent and has no time of sending' ${documents} where b.status_id = 'sent' and b.sent_at is null`,
      sql`select ${what} 'is ' || b.status_id || ' without a number or a currency'
        ${documents} where b.status_id <> 'draft' and (b.number is null or b.currency_id is null)`,
      sql`select ${what} 'has the number ' || b.number || ', and the counter stands at ' || coalesce(c.value, 0)
        ${documents} left join counters c on c.org_id = b.org_id and c.name = '${noun}' where b.number > coalesce(c.value, 0)`,
    ],
    or,
  )
})
