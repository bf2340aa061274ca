import { join, type Statement, sliceOf, sql } from '../db/sql.ts'

/** Up to so many are looked at one by one. */
export const fewEnough = 2000

const names = [sql`c0`, sql`c1`, sql`c2`, sql`c3`, sql`c4`, sql`c5`]

/**
 * The items of a `with` that look a little way into each of several sets of ids. Which of them is small cannot be seen from the question, and a plan
 * that is kept for all questions knows less; so `best` is the smallest of those that are small, or there is none, and `candidates` are its ids.
 */
export function candidatesOf(sets: readonly Statement[]): Statement {
  const looked = sets.slice(0, names.length).map((set, nth) => ({ nth: sql`${nth}::int`, name: names[nth] as Statement, set }))
  const each = looked.map(({ name, set }) => sql`${name} as materialized (select id from (${set}) as led ${sliceOf({ offset: 0, limit: fewEnough + 1 })})`)
  const counts = looked.map(({ nth, name }) => sql`select ${nth} as nth, count(*) as n from ${name}`)
  const chosen = looked.map(({ nth, name }) => sql`select id from ${name} where (select nth from best) = ${nth}`)
  return sql`${join(each, sql`, `)},
    best as materialized (select nth from (${join(counts, sql` union all `)}) as counts where n <= ${fewEnough} order by n limit 1),
    candidates as materialized (select distinct id from (${join(chosen, sql` union all `)}) as chosen)`
}

/** Of one of these sets: whether an id is in it, where it was looked at to its end; else what `otherwise` says. */
export function isInSet(nth: number, id: Statement, otherwise: Statement): Statement {
  const name = names[nth]
  return name ? sql`case when (select count(*) <= ${fewEnough} from ${name}) then ${id} in (select id from ${name}) else ${otherwise} end` : otherwise
}

export const someBest: Statement = sql`exists (select from best)`
