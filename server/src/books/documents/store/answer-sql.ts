import { nothing, type Statement, sql } from '../../../platform/db/sql/sql.ts'
import type { Kind } from '../model/kind/kind.ts'
import { tablesOf } from '../search/tables-sql.ts'

/** The answer to an update is without the currency. */
export type AnswerShape = { withCurrency: boolean }

type Row = { row: Statement; json: Statement; lines: Statement }

/** The whole answer about a document, made where the data is: of its row, its own JSON and that of its lines. */
export function answerOf(kind: Kind, org: string, { row, json, lines }: Row, { withCurrency }: AnswerShape): Statement {
  const { noun, lineNoun, lines: plural } = tablesOf(kind)
  return sql`'{"${noun}":' || ${json} || ',"created_by":' || to_json(${row}.created_by)::text
      || ',"${lineNoun}":' || coalesce((${lines})[1], 'null') || ',"${plural}":[' || coalesce(array_to_string(${lines}, ','), '') || ']'
      || ',"pay_term":' || coalesce((select t.json from pay_terms_wire t where t.org_id = ${org} and t.id = ${row}.pay_term_id), 'null')
      ${withCurrency ? sql`|| ',"currency_info":' || coalesce((select c.json from currencies_wire c where c.id = ${row}.currency_id), 'null')` : nothing} || '}'`
}

/** The JSON of the lines of a document, in their order. */
export function linesIn(kind: Kind, org: string, document: Statement): Statement {
  const { linesWire, parentKey } = tablesOf(kind)
  return sql`(select array_agg(i.json order by i.position) from ${linesWire} i where i.org_id = ${org} and i.${parentKey} = ${document})`
}
