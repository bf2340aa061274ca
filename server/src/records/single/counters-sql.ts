import { type Statement, sql } from '../../platform/db/sql/sql.ts'

/**
 * Takes the next numbers of kinds, so many of each. Nobody else creates an object of these kinds until the transaction ends. Rows of `object_key` and
 * `last`, the last number taken.
 */
export function takeNumbers(org: string, needed: ReadonlyMap<string, number>): Statement {
  return sql`
    insert into counters as c (org_id, name, value)
    select own.org_id, 'object:' || n.object_key, n.count
    from organizations own cross join unnest(${[...needed.keys()]}::text[], ${[...needed.values()]}::int[]) as n(object_key, count)
    where own.org_id = ${org} order by n.object_key on conflict (org_id, name) do update set value = c.value + excluded.value returning substr(c.name, 8) as object_key, c.value::int as last`
}

/** Waits for everyone who creates objects of these kinds, and locks the counters without taking a number. In one order, so that nobody waits in a circle. */
export function lockCounters(org: string, objectKeys: readonly string[]): Statement {
  return sql`
    insert into counters as c (org_id, name, value) select own.org_id, 'object:' || object_key, 0
    from organizations own cross join unnest(${objectKeys}::text[]) as object_key where own.org_id = ${org} order by object_key
    on conflict (org_id, name) do update set value = c.value`
}
