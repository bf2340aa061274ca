import type { Context } from '../../../platform/context.ts'
import type { Revised } from '../../../platform/core/schema/revisions.ts'
import { oneOf } from '../../../platform/db/sql/one-of.ts'
import { nothing, sql } from '../../../platform/db/sql/sql.ts'
import { type EventOf, recordAnswering } from '../../../platform/events/record.ts'
import type { Kind } from '../model/kind/kind.ts'
import { tablesOf } from '../search/tables-sql.ts'
import { type AnswerShape, answerOf, linesIn } from './answer-sql.ts'

/** Records events of documents, each with the document and its lines as they are now; answers the documents where a shape is asked for. */
export function recordEvents(
  ctx: Context,
  kind: Kind,
  events: readonly EventOf[],
  shape: AnswerShape | null = null,
): Promise<(Revised & { id: string })[]> {
  const ids = [...new Set(events.map(({ id }) => id))]
  const { documentsWire, lines } = tablesOf(kind)
  return recordAnswering(ctx, kind.noun, events, {
    records: sql`
      select w.id, w.revision, w.created_by, w.pay_term_id, w.currency_id, w.open_json, ${linesIn(kind, ctx.org, sql`w.id`)} as lines
      from ${documentsWire} w where w.org_id = ${ctx.org} and w.id = ${oneOf(ids)}`,
    data: sql`r.open_json || ',"${lines}":[' || coalesce(array_to_string(r.lines, ','), '') || ']}'`,
    answered: shape
      ? sql`r.id, r.revision, ${answerOf(kind, ctx.org, { row: sql`r`, json: sql`r.open_json || '}'`, lines: sql`r.lines` }, shape)} as json`
      : nothing,
  })
}
