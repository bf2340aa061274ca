import { join, named, nothing, type Statement, sql } from '../../platform/db/sql/sql.ts'
import type { Kind } from '../documents/model/kind/kind.ts'
import type { Target } from './ledger/allocations-store.ts'

const or = sql` union all `

/** What payments say of documents of a kind, and these of themselves, as rows of org_id, what, id and fault. */
export function paidFaults(
  { noun, plural, parties = [] }: Pick<Kind, 'noun' | 'plural' | 'parties'>,
  target: Target,
): Statement {
  const what = sql`b.org_id, '${named(noun)}', b.id, `
  // A credit is settled by what it is applied to as well.
  const applied =
    target === 'to_credit_id'
      ? sql`union all select org_id, from_credit_id, amount from allocations where ended_at is null and from_credit_id is not null`
      : nothing
  const settled = sql`from ${named(plural)} b left join (
    select org_id, id, sum(amount) as amount from (
      select org_id, ${named(target)} as id, amount from allocations where ended_at is null and ${named(target)} is not null ${applied}) as parts group by org_id, id) a using (org_id, id)`
  const known = sql`coalesce(b.amount_paid, 0)`
  return join(
    [
      sql`select ${what}'is paid ' || ${known} || ', and its payments come to ' || coalesce(a.amount, 0) ${settled} where ${known} <> coalesce(a.amount, 0)`,
      sql`select ${what}'is paid ' || b.amount_paid || ' of ' || b.total_amount from ${named(plural)} b
        where b.amount_paid not between least(b.total_amount, 0) and greatest(b.total_amount, 0)`,
      sql`select ${what}'is ' || b.status_id || ', and ' || (b.total_amount - b.amount_paid) || ' of it is due' from ${named(plural)} b
        where b.total_amount <> 0 and b.voided_at is null and (b.status_id = 'paid') <> (b.amount_paid = b.total_amount)`,
      sql`select a.org_id, 'allocation', a.id, 'settles what is of another currency or party' from allocations a join ${named(plural)} b on b.org_id = a.org_id and b.id = a.${named(target)}
        where a.ended_at is null and (b.currency_id <> a.currency_id or coalesce(${partyOf(parties)}, '00000000-0000-0000-0000-000000000000') <> a.payee_id)`,
      sql`select a.org_id, 'allocation', a.id, 'settles what is not there' from allocations a left join ${named(plural)} b on b.org_id = a.org_id and b.id = a.${named(target)}
        where a.ended_at is null and a.${named(target)} is not null and b.id is null`,
    ],
    or,
  )
}

function partyOf(parties: readonly string[]): Statement {
  return join(
    parties.map((party) => sql`b.${named(party)}`),
    sql`, `,
  )
}

/** What does not add up in payments. */
export const paymentFaults: Statement = join(
  [
    sql`select p.org_id, 'payment', p.id, 'has allocated ' || p.allocated_amount || ', and its allocations come to ' || coalesce(a.amount, 0)
      from payments p left join (select org_id, payment_id as id, sum(amount) as amount from allocations where ended_at is null group by org_id, payment_id) a using (org_id, id)
      where p.allocated_amount <> coalesce(a.amount, 0)`,
    sql`select org_id, 'payment', id, 'has allocated ' || allocated_amount || ' of ' || amount from payments
      where case when status in ('draft', 'voided') then allocated_amount <> 0 when amount > 0 then allocated_amount not between 0 and amount else allocated_amount <> amount end`,
    sql`select p.org_id, 'payment', p.id, 'has paid back ' || p.refunded_amount || ', and its refunds come to ' || coalesce(r.amount, 0)
      from payments p left join (
        select org_id, refund_of_id as id, sum(amount) as amount from payments where refund_of_id is not null and status in ('issued', 'cleared') group by org_id, refund_of_id) r
        using (org_id, id)
      where p.refunded_amount <> coalesce(r.amount, 0)`,
    sql`select org_id, 'payment', id, 'has allocated ' || allocated_amount || ' and paid back ' || refunded_amount || ' of ' || amount from payments
      where refunded_amount <> 0 and (refunded_amount < 0 or allocated_amount + refunded_amount > amount)`,
    sql`select r.org_id, 'payment', r.id, 'pays back what is of another currency or party, went the same way, or is a refund itself'
      from payments r join payments p on p.org_id = r.org_id and p.id = r.refund_of_id
      where p.currency_id <> r.currency_id or p.payee_id <> r.payee_id or p.direction = r.direction or p.refund_of_id is not null`,
    sql`select a.org_id, 'allocation', a.id, 'counts though its payment is ' || p.status from allocations a join payments p on p.org_id = a.org_id and p.id = a.payment_id
      where a.ended_at is null and p.status in ('draft', 'voided')`,
    sql`select a.org_id, 'allocation', a.id, 'is of another currency or party than its payment' from allocations a join payments p on p.org_id = a.org_id and p.id = a.payment_id
      where p.currency_id <> a.currency_id or p.payee_id <> a.payee_id`,
    sql`select p.org_id, 'payment', p.id, 'has the number ' || p.number || ', and the counter stands at ' || coalesce(c.value, 0)
      from payments p left join counters c on c.org_id = p.org_id and c.name = 'payment' where p.number > coalesce(c.value, 0)`,
  ],
  or,
)
