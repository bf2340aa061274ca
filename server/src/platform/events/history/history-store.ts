import type { Context } from '../../context.ts'
import {
  envelope,
  type FoundRecords,
  type NextName,
  nothingFound,
  type PageRequest,
  pageOf,
} from '../../core/schema/pages.ts'
import { keyTypesOf, type Order, pageStatement } from '../../db/sql/keyset.ts'
import { sql } from '../../db/sql/sql.ts'

/** The record that events are about. */
export type Subject = { type: string; id: string }

const latest: Order = { keys: [{ value: sql`w.id`, type: 'id' }], descending: true }

/**
 * The events of one record, the newest first, as the envelope of a search, and how many there are. The actor's name is added: those who read a history may
 * not read users, and must still know whom to ask.
 */
export async function listHistory(
  ctx: Context,
  { type, id }: Subject,
  asked: PageRequest,
  nextName: NextName = 'next_after',
): Promise<{ total: number; json: string }> {
  const page = pageOf(`history ${id}`, asked, keyTypesOf(latest))
  const [found = nothingFound] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from events where org_id = ${ctx.org} and subject_type = ${type} and subject_id = ${id})`,
      json: sql`left(w.json, -1) || ',"actor_name":' || coalesce(to_json(coalesce(u.name, a.name))::text, 'null') || '}'`,
      rows: sql`from events_wire w join events e on e.org_id = w.org_id and e.id = w.id
        left join users u on u.org_id = e.org_id and u.id::text = e.actor ->> 'id' and e.actor ->> 'type' = 'user'
        left join applications a on a.org_id = e.org_id and a.client_id = e.actor ->> 'id' and e.actor ->> 'type' = 'application'
        where w.org_id = ${ctx.org} and w.subject_type = ${type} and w.subject_id = ${id}`,
      order: latest,
      page,
    }),
  )
  return { total: found.total, json: envelope('events', found, page, nextName) }
}
