import { join, named, type Statement, sql } from '../../../platform/db/sql/sql.ts'
import { parties as known, type Party } from '../model/fields/fields.ts'
import { type Kind, onceFor } from '../model/kind/kind.ts'

/** Writes the texts of the documents that match, where they are not what they were. `which` is about the row `b`. */
export function writeTexts(kind: Kind, org: string, which: Statement): Statement {
  const { text, partner } = pieces(kind)
  return sql`
    insert into document_texts as t (org_id, kind, id, text, partner_id)
    select b.org_id, '${named(kind.noun)}', b.id, ${text}, ${partner} from ${named(kind.plural)} b
    where b.org_id = ${org} and ${which}
    on conflict (org_id, kind, id) do update set text = excluded.text, partner_id = excluded.partner_id
    where (t.text, t.partner_id) is distinct from (excluded.text, excluded.partner_id)`
}

export function deleteText(kind: Kind, org: string, id: string): Statement {
  return sql`delete from document_texts where org_id = ${org} and kind = '${named(kind.noun)}' and id = ${id}`
}

/** Every word stands somewhere in the number, the reference, the payee or the name of the party. The parties are looked up once for each word. */
export function hasWords(kind: Kind, org: string, term: string): Statement {
  const conditions = wordsIn(term).map(
    (word) => sql`(${contains(sql`t.text`, word)} or t.partner_id = any (array(
      select p.id from objects p where p.org_id = ${org} and ${pieces(kind).isParty} and p.deleted_at is null and ${contains(sql`lower(p.name)`, word)})))`,
  )
  return sql`b.id in (select t.id from document_texts t where t.org_id = ${org} and t.kind = '${named(kind.noun)}' and ${join(conditions, and)})`
}

/** A text in lower case that has every word of the term in it. */
export function containsWords(text: Statement, term: string): Statement {
  const conditions = wordsIn(term).map((word) => contains(text, word))
  return join(conditions, and)
}

const and = sql` and `
const mostWords = 10

function wordsIn(term: string): string[] {
  return term.split(/\s+/).filter(Boolean).slice(0, mostWords)
}

/** The word is put into lower case once, not once for each row. */
function contains(text: Statement, word: string): Statement {
  return sql`strpos(${text}, (select lower(${word}::text))) > 0`
}

const pieces = onceFor(({ fields, numberPrefix }) => {
  const searched = Object.entries(fields)
  const texts = searched.flatMap(([name, { searched }]) => {
    if (searched === 'text') return [sql`b.${named(name)}`]
    return searched === 'names' ? [sql`b.${named(name)} ->> 'company_name', b.${named(name)} ->> 'contact_name'`] : []
  })
  const parties = searched.filter(([, { searched }]) => (known as readonly unknown[]).includes(searched))
  const listed = (statements: Statement[]) => join(statements, sql`, `)
  const number = sql`'${named(numberPrefix)}-' || lpad(b.number::text, greatest(6, length(b.number::text)), '0')`
  return {
    isParty:
      parties.length > 0
        ? sql`p.object_key in (${listed(parties.map(([, { searched }]) => sql`'${named(searched as Party)}'`))})`
        : sql`false`,
    text: sql`lower(concat_ws(E'\n', ${listed([number, ...texts])}))`,
    partner:
      parties.length > 0 ? sql`coalesce(${listed(parties.map(([name]) => sql`b.${named(name)}`))})` : sql`null::uuid`,
  }
})
