import { join, type Statement, sliceOf, sql } from '../../../platform/db/sql/sql.ts'
import { wordsOf } from '../../index/text.ts'
import { candidatesOf, isBest, someBest } from './candidates-sql.ts'
import { begins, type Scope } from './kind-sql.ts'

const mostWords = 20
/** Up to so many words with the same beginning are looked up one by one. */
const mostExpanded = 20

/**
 * The ids of the objects that have all words of a question, each id once; each word must begin a word of the object. If few objects have one of the
 * words, the others are checked for those few; otherwise the sets of ids are intersected.
 */
export function idsWithWords({ org, objectKey }: Scope, q: string): Statement {
  const own = sql`w.org_id = ${org} and w.object_key = ${objectKey}`
  const sets = [...new Set(wordsOf(q))].slice(0, mostWords).map((word, nth) => {
    const within = sql`${own} and ${begins(sql`w.word`, word)}`
    const all = sql`select w.object_id as id from object_words w where ${within}`
    const expanded = wordsBeginning(within)
    // All candidates in one index scan: one by one they would take four times as long.
    const withOneOf = sql`select w.object_id from object_words w where ${own} and w.word = any (${expanded}) and w.object_id = any (array(select id from candidates))`
    const isMet = sql`case when ${isBest(nth)} then true else c.id in (${withOneOf}) or (cardinality(${expanded}) = ${mostExpanded} and c.id in (${all})) end`
    return { all, isMet }
  })
  const each = sets.map(({ all }) => all)
  // A question without a word finds nothing.
  if (each.length === 0) return sql`select null::uuid as id where false`
  if (each.length === 1) return sql`select distinct id from (${each[0]}) as worded`
  return sql`
    select id from (
      with ${candidatesOf(each)}
      select c.id from candidates c where ${join(
        sets.map(({ isMet }) => isMet),
        sql` and `,
      )}
      union all (${join(
        each.map((set) => sql`${set} and not ${someBest}`),
        sql` intersect `,
      )})) as worded`
}

/** The first words with a beginning. A recursive query goes from word to word and skips the objects that have it. */
function wordsBeginning(within: Statement): Statement {
  return sql`array(
    with recursive expanded as (
      (select w.word from object_words w where ${within} order by w.word limit 1)
      union all select (select w.word from object_words w where ${within} and w.word > s.word order by w.word limit 1) from expanded s where s.word is not null)
    select word from expanded where word is not null ${sliceOf({ offset: 0, limit: mostExpanded })})`
}
