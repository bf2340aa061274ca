import type { Context } from '../../context.ts'
import { named, sql } from '../../db/sql.ts'
import { type EventOf, recordEach } from '../../events/record.ts'
import { type Kind, onceFor } from './model/kind.ts'

const pieces = onceFor(({ plural, lines }) => ({
  whole: named`
    select w.id, w.revision, w.open_json || ',"${lines.plural}":[' || coalesce((
      select string_agg(i.json, ',' order by i.position) from ${`${lines.plural}_wire`} i where i.${lines.parentKey} = w.id and i.org_id = `,
  from: named`), '') || ']}' as json from ${`${plural}_wire`} w where w.org_id = `,
}))

/** Records events of documents, each with the document and its lines as they are now. */
export function recordEvents(ctx: Context, kind: Kind, events: readonly EventOf[]): Promise<void> {
  const ids = [...new Set(events.map(({ id }) => id))]
  const { whole, from } = pieces(kind)
  return recordEach(ctx, kind.noun, events, sql`${whole}${ctx.org}${from}${ctx.org} and w.id = any(${ids}::uuid[])`)
}
