import { join, type Statement, sliceOf, sql } from '../../db/sql.ts'
import { wordsOf } from '../index/entries.ts'
import { candidatesOf, isBest, someBest } from './candidates-sql.ts'
import { begins, type Scope } from './kind-sql.ts'

const mostWords = 20
/** So many words with one beginning are asked for one by one, whatever number of objects has them. */
const mostSpelled = 20

/**
 * The ids of the objects with the words of a question, each once: each is the beginning of a word somewhere in the object. Where one of them is in few
 * objects, those are asked for the others; else all that have one are laid over each other.
 */
export function idsWithWords({ org, objectKey }: Scope, q: string): Statement {
  const own = sql`w.org_id = ${org} and w.object_key = ${objectKey}`
  const sets = [...new Set(wordsOf(q))].slice(0, mostWords).map((word, nth) => {
    const within = sql`${own} and ${begins(sql`w.word`, word)}`
    const all = sql`select w.object_id as id from object_words w where ${within}`
    const spelled = spelledOut(within)
    // All candidates in one look along the index: asked for one by one they would take four times as long.
    const having = sql`select w.object_id from object_words w where ${own} and w.word = any (${spelled}) and w.object_id = any (array(select id from candidates))`
    const held = sql`case when ${isBest(nth)} then true else c.id in (${having}) or (cardinality(${spelled}) = ${mostSpelled} and c.id in (${all})) end`
    return { all, held }
  })
  const each = sets.map(({ all }) => all)
  // What has no word in it is found nowhere.
  if (each.length === 0) return sql`select null::uuid as id where false`
  if (each.length === 1) return sql`select distinct id from (${each[0]}) as worded`
  return sql`
    select id from (
      with ${candidatesOf(each)}
      select c.id from candidates c where ${join(
        sets.map(({ held }) => held),
        sql` and `,
      )}
      union all (${join(
        each.map((set) => sql`${set} and not ${someBest}`),
        sql` intersect `,
      )})) as worded`
}

/** The first words with a beginning, found by stepping from word to word, past the objects that have it. */
function spelledOut(within: Statement): Statement {
  return sql`array(
    with recursive spelled as (
      (select w.word from object_words w where ${within} order by w.word limit 1)
      union all select (select w.word from object_words w where ${within} and w.word > s.word order by w.word limit 1) from spelled s where s.word is not null)
    select word from spelled where word is not null ${sliceOf({ offset: 0, limit: mostSpelled })})`
}
