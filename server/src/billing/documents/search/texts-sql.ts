import { join, named, type Statement, sql } from '../../../db/sql.ts'
import { type Kind, onceFor } from '../model/kind.ts'

/** Writes the texts of the documents that match, where they are not what they were. `which` is about the row `b`. */
export function writeTexts(kind: Kind, org: string, which: Statement): Statement {
  const { rows } = pieces(kind)
  return sql`
    insert into document_texts as t (org_id, kind, id, text, partner_id) ${rows}${org} and ${which}
    on conflict (org_id, kind, id) do update set text = excluded.text, partner_id = excluded.partner_id
    where (t.text, t.partner_id) is distinct from (excluded.text, excluded.partner_id)`
}

export function deleteText(kind: Kind, org: string, id: string): Statement {
  return sql`delete from document_texts where org_id = ${org} and ${pieces(kind).isKind} and id = ${id}`
}

const mostWords = 10

/** Every word stands somewhere in the number, the reference, the payee or the name of the partner. */
export function hasWords(kind: Kind, org: string, term: string): Statement {
  return sql`b.id in (
    select t.id from document_texts t left join objects p on p.org_id = t.org_id and p.id = t.partner_id and p.object_key = 'partner' and p.deleted_at is null
    where t.org_id = ${org} and t.${pieces(kind).isKind}
      and t.text || coalesce(E'\n' || lower(p.name), '') ${containsWords(term)})`
}

/** After a text in lower case: it contains every word of the term. */
export function containsWords(term: string): Statement {
  const words = term.split(/\s+/).filter(Boolean).slice(0, mostWords)
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
  return sql`like all (array(select lower(pattern) from unnest(${patterns}::text[]) as pattern))`
}

const pieces = onceFor(({ noun, plural, fields, numberPrefix }) => {
  const searched = Object.entries(fields)
  const texts = searched.flatMap(([name, { searched }]) => {
    if (searched === 'text') return [named`b.${name}`]
    return searched === 'names' ? [named`b.${name} ->> 'company_name', b.${name} ->> 'contact_name'`] : []
  })
  const partner = searched.find(([, { searched }]) => searched === 'partner')
  const number = named`'${numberPrefix}-' || lpad(b.number::text, greatest(6, length(b.number::text)), '0')`
  return {
    isKind: named`kind = '${noun}'`,
    rows: sql`
      select b.org_id, ${named`'${noun}'`}, b.id, lower(concat_ws(E'\n', ${join([number, ...texts], sql`, `)})), ${partner ? named`b.${partner[0]}` : sql`null::uuid`}
      ${named`from ${plural} b where b.org_id = `}`,
  }
})
