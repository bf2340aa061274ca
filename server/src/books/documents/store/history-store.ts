import type { Context } from '../../../platform/context.ts'
import { sql } from '../../../platform/db/sql/sql.ts'
import { type EventOf, recordEach } from '../../../platform/events/record.ts'
import type { Kind } from '../model/kind/kind.ts'
import { tablesOf } from '../search/tables-sql.ts'

/** Records events of documents, each with the document and its lines as they are now. */
export function recordEvents(ctx: Context, kind: Kind, events: readonly EventOf[]): Promise<void> {
  const ids = [...new Set(events.map(({ id }) => id))]
  const { documentsWire, lines, linesWire, parentKey } = tablesOf(kind)
  const whole = sql`
    select w.id, w.revision, w.open_json || ',"${lines}":[' || coalesce((
      select string_agg(i.json, ',' order by i.position) from ${linesWire} i
      where i.org_id = ${ctx.org} and i.${parentKey} = w.id), '') || ']}' as json
    from ${documentsWire} w where w.org_id = ${ctx.org} and w.id = any(${ids}::uuid[])`
  return recordEach(ctx, kind.noun, events, whole)
}
