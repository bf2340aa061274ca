import { join, type Statement, sliceOf, sql } from '../../../platform/db/sql/sql.ts'

/** Up to so many objects are checked one by one. */
export const fewEnough = 2000
/** A first look at each set goes only so far, so that a small set need not wait until thousands of ids of another have been read. */
const glance = 300

const names = {
  glanced: [sql`g0`, sql`g1`, sql`g2`, sql`g3`, sql`g4`, sql`g5`],
  looked: [sql`c0`, sql`c1`, sql`c2`, sql`c3`, sql`c4`, sql`c5`],
}
const mostSets = names.looked.length

/**
 * The items of a `with` that find the smallest of several sets of ids: `best` is its number, if it is small enough, and `candidates` are its ids. They
 * read the beginning of each set, and more of it only if none is that small. PostgreSQL could not choose so: one plan serves all values, and does not
 * know which set is small.
 */
export function candidatesOf(sets: readonly Statement[]): Statement {
  const asked = sets.slice(0, mostSets)
  const glances = readFirst(asked, names.glanced, glance, sql`true`)
  const looks = readFirst(asked, names.looked, fewEnough, sql`not exists (select from glanced)`)
  return sql`${glances.items}, glanced as materialized (${glances.smallest}), ${looks.items},
    best as materialized (select nth from glanced union all (select nth from (${looks.smallest}) as looked where not exists (select from glanced))),
    candidates as materialized (select distinct id from (${glances.ids(sql`glanced`)} union all ${looks.ids(sql`best`)}) as chosen)`
}

/** Reads the first ids of each set, if `open` is true. */
function readFirst(sets: readonly Statement[], names: readonly Statement[], most: number, open: Statement) {
  const looked = sets.map((set, nth) => ({ nth: sql`${nth}::int`, name: names[nth] as Statement, set }))
  const items = looked.map(
    ({ name, set }) =>
      sql`${name} as materialized (select id from (${set}) as led where ${open} ${sliceOf({ offset: 0, limit: most + 1 })})`,
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

/** Whether the candidates are those of this set. */
export function isBest(nth: number): Statement {
  return sql`coalesce((select nth from best) = ${nth}::int, false)`
}

export const someBest: Statement = sql`exists (select from best)`
