import { type Statement, sql } from '../../db/sql.ts'

/**
 * Keeps the ends of words that are new, so that a piece of a word finds it. `words` has rows of `object_key`, `word` and `object_id`. Each is looked
 * up by itself: joined in another way, all that are known would be read.
 */
export function insertWordEnds(org: string, words: Statement): Statement {
  return sql`
    insert into object_word_ends (org_id, object_key, ending, word, object_id)
    select ${org}::uuid, object_key, ending, word, object_id
    from (select distinct on (object_key, word) object_key, word, object_id from (${words}) as brought
      where length(word) between 4 and 40 order by object_key, word) as fresh cross join lateral word_ends(fresh.word) as ending
    where coalesce((select false from object_word_ends k
      where k.org_id = ${org} and k.object_key = fresh.object_key and k.ending = substr(fresh.word, 2, 24) and k.word = fresh.word limit 1), true)
    on conflict do nothing`
}
