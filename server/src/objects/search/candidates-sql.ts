import { join, type Statement, sliceOf, sql } from '../../db/sql.ts'

/** Up to so many are looked at one by one. */
export const fewEnough = 2000
/** What is looked for first: a set as small as this need not wait until thousands of another have been read. */
const glance = 300

const names = {
  glanced: [sql`g0`, sql`g1`, sql`g2`, sql`g3`, sql`g4`, sql`g5`],
  looked: [sql`c0`, sql`c1`, sql`c2`, sql`c3`, sql`c4`, sql`c5`],
}
const mostSets = names.looked.length

/**
 * The items of a `with` that look a little way into each of several sets of ids, and further where none is as small as that. Which of them is small
 * cannot be seen from the question, and a plan that is kept for all questions knows less; so `best` is the smallest of those that are small, or there
 * is none, and `candidates` are its ids.
 */
export function candidatesOf(sets: readonly Statement[]): Statement {
  const asked = sets.slice(0, mostSets)
  const glances = rung(asked, names.glanced, glance, sql`true`)
  const looks = rung(asked, names.looked, fewEnough, sql`not exists (select from glanced)`)
  return sql`${glances.items}, glanced as materialized (${glances.smallest}), ${looks.items},
    best as materialized (select nth from glanced union all (select nth from (${looks.smallest}) as looked where not exists (select from glanced))),
    candidates as materialized (select distinct id from (${glances.ids(sql`glanced`)} union all ${looks.ids(sql`best`)}) as chosen)`
}

/** A look at the first of each set, for as long as `open` says so. */
function rung(sets: readonly Statement[], names: readonly Statement[], most: number, open: Statement) {
  const looked = sets.map((set, nth) => ({ nth: sql`${nth}::int`, name: names[nth] as Statement, set }))
  const items = looked.map(
    ({ name, set }) => sql`${name} as materialized (select id from (${set}) as led where ${open} ${sliceOf({ offset: 0, limit: most + 1 })})`,
  )
  const counts = looked.map(({ nth, name }) => sql`select ${nth} as nth, count(*) as n from ${name}`)
  return {
    items: join(items, sql`, `),
    smallest: sql`select nth from (${join(counts, sql` union all `)}) as counts where n <= ${most} order by n limit 1`,
    ids: (which: Statement) =>
      join(
        looked.map(({ nth, name }) => sql`select id from ${name} where (select nth from ${which}) = ${nth}`),
        sql` union all `,
      ),
  }
}

/** Whether the candidates are those of one of these sets. */
export function isBest(nth: number): Statement {
  return sql`coalesce((select nth from best) = ${nth}::int, false)`
}

export const someBest: Statement = sql`exists (select from best)`
