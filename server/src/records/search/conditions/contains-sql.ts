import { type Statement, sql } from '../../../platform/db/sql/sql.ts'
import { containsPattern, cut, fold } from '../../index/text.ts'
import { candidatesOf, someBest } from './candidates-sql.ts'
import { begins, type Scope } from './kind-sql.ts'

const mostPieces = 3
/** The shortest and the longest end of a word that is indexed. */
const shortest = 3
const longest = 24

/** Whether the value `v` contains a text. */
export function containsText(text: string): Statement {
  return sql`coalesce(v.long_folded, v.folded_value) like ${containsPattern(text)}`
}

/**
 * The ids of objects whose field contains a text. Under row-level security `like` cannot use an index, so the words in the text lead to candidates,
 * and `like` decides. If they lead to very many, all values of the field are scanned instead: the statement has both ways, and runs one of them.
 */
export function idsContaining({ org, objectKey }: Scope, path: string, text: string): Statement {
  const pattern = containsPattern(text)
  const field = sql`v.org_id = ${org} and v.object_key = ${objectKey} and v.field = ${path}`
  const scan = (and: Statement) => sql`
    select v.object_id as id from object_values v where ${field} and v.text_value is not null and v.folded_value like ${pattern} ${and}
    union all select v.object_id from object_values v where ${field} and v.long_text is not null and v.long_folded like ${pattern} ${and}`
  const pieces = piecesOf(fold(text))
  if (pieces.length === 0) return scan(sql``)
  return sql`
    select id from (
      with ${candidatesOf(pieces.map((piece) => objectsWith({ org, objectKey }, piece)))}
      select v.id from candidates c cross join lateral (
        select v.object_id as id from object_values v where v.org_id = ${org} and v.object_id = c.id and v.field = ${path} and ${containsText(text)} offset 0) as v
      union all select v.object_id from object_values v where ${field} and v.unworded and ${containsText(text)} and ${someBest}
      union all (${scan(sql`and not ${someBest}`)})) as contained`
}

type Piece = { word: string; place: 'within' | 'beginning' | 'whole' }

/** The longest words of the text, which are the most selective. Only the first and the last can be part of a longer word. */
function piecesOf(folded: string): Piece[] {
  const pieces = [...folded.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }): Piece => {
    const open = index + word.length === folded.length
    return { word, place: index === 0 ? 'within' : open ? 'beginning' : 'whole' }
  })
  const selective = pieces.filter(({ word }) => [...word].length >= shortest)
  return selective.sort((a, b) => b.word.length - a.word.length).slice(0, mostPieces)
}

/** The objects that have such a word in any of their texts; an id can come more than once. */
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
