import type { AsOf } from '../../platform/core/values/as-of.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'

/**
 * The objects of a kind as rows of id, full_id, name, status, created_at and content: as they are now, or as they stood at the moment of `own`, those
 * that have changed since by their last event up to then.
 */
export function objectsAsOf(objectKey: 'order' | 'manifest', org: string, asOf: AsOf): Statement {
  const now = sql`
    select o.id, o.full_id, o.name, o.status, o.created_at, o.json as content from objects o
    where o.org_id = ${org} and o.object_key = ${objectKey} and o.deleted_at is null`
  if (asOf === null) return now
  return sql`${now} and o.updated_at <= (select moment from own) union all
    select e.subject_id, e.data ->> 'fullId', e.data ->> 'name', e.data ->> 'status', last.created_at, e.data from (
      select distinct on (e.subject_id) e.id, o.created_at
      from objects o join events e on e.org_id = o.org_id and e.subject_type = o.object_key and e.subject_id = o.id
      where o.org_id = ${org} and o.object_key = ${objectKey} and o.created_at <= (select moment from own)
        and greatest(o.updated_at, o.deleted_at) > (select moment from own) and e.org_id = ${org} and e.occurred_at <= (select moment from own)
      order by e.subject_id, e.revision desc, e.id desc) last
    join events e on e.org_id = ${org} and e.id = last.id where e.type not like '%.deleted'`
}

/** What the entries of a list of an object come to: prices times quantities, one where none is said. */
export function sumOfItems(list: Statement): Statement {
  return sql`(select sum((i.item ->> 'unitPrice')::numeric * coalesce((i.item ->> 'quantity')::numeric, 1))
    from jsonb_array_elements(case when jsonb_typeof(${list}) = 'array' then ${list} end) as i(item))`
}

/** The rates of the day of `a`, which has currency_id and day, to the home currency of `own`. */
export function withRates(org: string): Statement {
  return sql`cross join own left join currencies digits on digits.id = a.currency_id
    left join exchange_rates direct on direct.org_id = ${org} and direct.from_currency_id = a.currency_id and direct.to_currency_id = own.home
      and direct.starts_on <= a.day and coalesce(direct.ends_on, 'infinity') >= a.day
    left join exchange_rates inverse on inverse.org_id = ${org} and inverse.to_currency_id = a.currency_id and inverse.from_currency_id = own.home
      and inverse.starts_on <= a.day and coalesce(inverse.ends_on, 'infinity') >= a.day`
}

/** An amount of `a` in the home currency, by those rates; null where there is none. */
export function atRates(amount: Statement): Statement {
  return sql`case when a.currency_id = own.home then ${amount}
    else ${amount} * coalesce(direct.rate, 1 / inverse.rate) * 10::numeric ^ (own.home_digits - digits.minor_units) end`
}
