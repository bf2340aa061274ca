import type { AsOf } from '../../core/values/as-of.ts'
import { named, nothing, type Statement, sql, when } from '../sql/sql.ts'

/** Whose money on account it is, and which way it went when it was paid on account. */
export type OnAccount = { party: 'partner_carrier_id' | 'customer_id'; direction: 'in' | 'out' }

/**
 * What was paid and settles nothing, as rows of id, number, reference_number, direction, date, party_id, currency_id, amount, due, exchange_rate and
 * home_currency_id. `due` is what is left, negative where the money went the other way. As it is now; or as it stood at the moment of `own`: payments that
 * have not changed since are read from their table, the others from their last event up to then. Once issued a payment keeps its party.
 */
export function unappliedAsOf(org: string, asOf: AsOf, { party, direction }: OnAccount, payee?: string): Statement {
  const sign = (way: Statement) => sql`case when ${way} = ${direction} then 1 else -1 end`
  const own = when(payee, sql`and p.payee_id = ${payee}`)
  const now = sql`
    select p.id, 'PAY-' || lpad(p.number::text, greatest(6, length(p.number::text)), '0') as number, p.reference_number, p.direction, p.paid_at as date,
      p.${named(party)} as party_id, p.currency_id, p.amount::bigint as amount,
      ${sign(sql`p.direction`)} * (p.amount::bigint - p.allocated_amount::bigint - p.refunded_amount) as due, p.exchange_rate, p.home_currency_id
    from payments p where p.org_id = ${org} ${own} and p.${named(party)} is not null and p.status in ('issued', 'cleared') and p.allocated_amount <> p.amount
      and p.refund_of_id is null and p.allocated_amount + p.refunded_amount <> p.amount ${asOf === null ? nothing : sql`and p.updated_at <= (select moment from own)`}`
  if (asOf === null) return now
  return sql`${now} union all
    select e.subject_id, e.data ->> 'number', e.data ->> 'reference_number', e.data ->> 'direction', (e.data ->> 'paid_at')::timestamptz,
      (e.data ->> '${named(party)}')::uuid, e.data ->> 'currency_id', (e.data ->> 'amount')::bigint,
      ${sign(sql`e.data ->> 'direction'`)} * (e.data ->> 'unallocated_amount')::bigint, (e.data ->> 'exchange_rate')::numeric, e.data ->> 'home_currency_id'
    from (
      select distinct on (e.subject_id) e.id from payments p join events e on e.org_id = p.org_id and e.subject_type = 'payment' and e.subject_id = p.id
      where p.org_id = ${org} ${own} and p.${named(party)} is not null and p.created_at <= (select moment from own) and p.updated_at > (select moment from own)
        and e.org_id = ${org} and e.occurred_at <= (select moment from own)
      order by e.subject_id, e.revision desc, e.id desc) last
    join events e on e.org_id = ${org} and e.id = last.id
    where e.data ->> 'status' in ('issued', 'cleared') and (e.data ->> 'unallocated_amount')::bigint <> 0`
}
