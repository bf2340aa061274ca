import type { Context } from '../../context.ts'
import { type Asked, envelope, type Found, nothingFound, pageOf } from '../../core/pages.ts'
import { keyTypesOf, type Order, pageStatement } from '../../db/keyset.ts'
import { named, type Statement, sql } from '../../db/sql.ts'
import { type EventOf, recordEach } from '../../events/record.ts'
import { type Kind, onceFor } from './model/kind.ts'

const pieces = onceFor(({ noun, plural, lines }) => ({
  whole: named`
    select w.id, w.revision, w.open_json || ',"${lines.plural}":[' || coalesce((
      select string_agg(i.json, ',' order by i.position) from ${`${lines.plural}_wire`} i where i.${lines.parentKey} = w.id and i.org_id = `,
  from: named`), '') || ']}' as json from ${`${plural}_wire`} w where w.org_id = `,
  isSubject: named`subject_type = '${noun}'`,
}))

/** Records events of documents, each with the document and its lines as they are now. */
export function recordEvents(ctx: Context, kind: Kind, events: readonly EventOf[]): Promise<void> {
  const ids = [...new Set(events.map(({ id }) => id))]
  const { whole, from } = pieces(kind)
  return recordEach(ctx, kind.noun, events, sql`${whole}${ctx.org}${from}${ctx.org} and w.id = any(${ids}::uuid[])`)
}

const latest: Order = { keys: [{ value: sql`w.id`, type: 'id' }], descending: true }

/** The actor's name is added: those who read a history may not read users, and must still know whom to ask. */
export async function listHistory(ctx: Context, kind: Kind, id: string, asked: Asked): Promise<string> {
  const page = pageOf(`history ${id}`, asked, keyTypesOf(latest))
  const isSubject: Statement = pieces(kind).isSubject
  const [found] = await ctx.run<Found>(
    pageStatement({
      total: sql`(select count(*)::int from events where org_id = ${ctx.org} and ${isSubject} and subject_id = ${id})`,
      json: sql`left(w.json, -1) || ',"actor_name":' || coalesce(to_json(coalesce(u.name, a.name))::text, 'null') || '}'`,
      rows: sql`from events_wire w join events e on e.org_id = w.org_id and e.id = w.id
        left join users u on u.org_id = e.org_id and u.id::text = e.actor ->> 'id' and e.actor ->> 'type' = 'user'
        left join applications a on a.org_id = e.org_id and a.client_id = e.actor ->> 'id' and e.actor ->> 'type' = 'application'
        where w.org_id = ${ctx.org} and w.${isSubject} and w.subject_id = ${id}`,
      order: latest,
      page,
    }),
  )
  return envelope('events', found ?? nothingFound, page)
}
