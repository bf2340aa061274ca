import { join, type Statement, sql } from '../db/sql.ts'
import { begins, type Scope } from './conditions.ts'
import { cut, fold } from './leaves.ts'

/** Up to so many are looked at one by one; where the words of a text lead to more, the values of the field are gone through. */
const fewEnough = 2000
const mostPieces = 3
/** The least that a word's end is kept for, and the most of it. */
const shortest = 3
const longest = 24

/**
 * The ids of objects whose field contains a text. Row-level security lets no index be used by `like`, so the pieces of words in the text lead to
 * candidates, and `like` decides. Which way is the better one is known from the number of candidates: both are planned, and one is gone.
 */
export function containing({ org, objectKey }: Scope, path: string, text: string): Statement {
  const folded = fold(text)
  const pattern = `%${folded.replace(/[\\%_]/g, '\\$&')}%`
  const field = sql`v.org_id = ${org} and v.object_key = ${objectKey} and v.field = ${path}`
  const walked = (and: Statement) => sql`
    select v.object_id as id from object_values v where ${field} and v.text_value is not null and v.folded_value like ${pattern} ${and}
    union all select v.object_id from object_values v where ${field} and v.long_text is not null and v.long_folded like ${pattern} ${and}`
  const pieces = piecesOf(folded)
  if (pieces.length === 0) return walked(sql``)
  const scope = { org, objectKey }
  const candidates = pieces.map((piece, nth) => sql`(select ${nth}::int as nth, id from (${objectsWith(scope, piece)}) as led limit ${fewEnough + 1})`)
  return sql`
    select id from (
      with candidates as materialized (${join(candidates, sql` union all `)}),
        best as materialized (
          select nth from generate_series(0, ${pieces.length - 1}::int) as nth left join candidates c using (nth)
          group by nth having count(c.id) <= ${fewEnough} order by count(c.id) limit 1)
      select v.id from (select distinct c.id from candidates c where c.nth = (select nth from best)) as c cross join lateral (
        select v.object_id as id from object_values v
        where v.org_id = ${org} and v.object_id = c.id and v.field = ${path} and coalesce(v.long_folded, v.folded_value) like ${pattern} offset 0) as v
      union all select v.object_id from object_values v where ${field} and v.unworded and coalesce(v.long_folded, v.folded_value) like ${pattern} and exists (select from best)
      union all (${walked(sql`and not exists (select from best)`)})) as contained`
}

type Piece = { word: string; place: 'within' | 'beginning' | 'whole' }

/** What the words of a text must have if it contains this one: the longest tell most. Only what stands at its edges can be part of a longer word. */
function piecesOf(folded: string): Piece[] {
  const pieces = [...folded.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }): Piece => {
    const open = index + word.length === folded.length
    return { word, place: index === 0 ? 'within' : open ? 'beginning' : 'whole' }
  })
  const telling = pieces.filter(({ word }) => [...word].length >= shortest)
  return telling.sort((a, b) => b.word.length - a.word.length).slice(0, mostPieces)
}

/** The objects that have such a word in any of their texts; some may come twice. */
function objectsWith({ org, objectKey }: Scope, { word, place }: Piece): Statement {
  const own = sql`w.org_id = ${org} and w.object_key = ${objectKey}`
  if (place === 'whole') return sql`select w.object_id as id from object_words w where ${own} and w.word = ${cut(word)}`
  const beginning = sql`select w.object_id as id from object_words w where ${own} and ${begins(sql`w.word`, cut(word))}`
  if (place === 'beginning') return beginning
  const end = [...word].slice(0, longest).join('')
  return sql`
    ${beginning} union all select w.object_id from object_word_ends e cross join lateral (
      select w.object_id from object_words w where ${own} and w.word = e.word offset 0) as w
    where e.org_id = ${org} and e.object_key = ${objectKey} and ${begins(sql`e.ending`, end)}`
}
