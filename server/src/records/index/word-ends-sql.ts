import { type Statement, sql } from '../../platform/db/sql/sql.ts'

/**
 * Inserts the ends of new words, so that any piece of a word finds it. `words` has rows of `object_key`, `word` and `object_id`. Whether a word is new
 * is asked word by word: a join could read all known words.
 */
export function insertWordEnds(org: string, words: Statement): Statement {
  return sql`
    insert into object_word_ends (org_id, object_key, ending, word, object_id)
    select own.org_id, object_key, ending, word, object_id
    from organizations own cross join (select distinct on (object_key, word) object_key, word, object_id from (${words}) as given
      where length(word) between 4 and 40 order by object_key, word) as new_words cross join lateral word_ends(new_words.word) as ending
    where own.org_id = ${org} and coalesce((select false from object_word_ends k
      where k.org_id = ${org} and k.object_key = new_words.object_key and k.ending = substr(new_words.word, 2, 24) and k.word = new_words.word limit 1), true)
    on conflict do nothing`
}
