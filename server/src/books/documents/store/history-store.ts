import type { Context } from '../../../platform/context.ts'
import type { WireRecord } from '../../../platform/core/schema/revisions.ts'
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
): Promise<(WireRecord & { id: string })[]> {
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
    ...(events.some(({ revision }) => revision !== undefined) && { overridden: asItWasThen }),
  })
}

/** A document in an earlier state, with what could be done with it then. Only of those that were just created there are events in several states. */
const asItWasThen = sql`(
  select w.data || jsonb_build_object('available_actions', document_actions(w.data ->> 'status_id', case when w.data ->> 'number' is not null then 1 end,
    (w.data ->> 'sent_at')::timestamptz, w.data ->> 'currency_id', (w.data ->> 'amount_paid')::bigint, null, coalesce(w.data ->> 'approval_status', 'not_needed'), null, false,
    (w.data ->> 'exchange_rate')::numeric, w.data ->> 'home_currency_id', own.home_currency_id)::jsonb) from (select d.data || e.overrides as data) w)`
