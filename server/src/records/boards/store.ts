import type { Context } from '../../platform/context.ts'
import {
  envelope,
  type FoundRecords,
  nothingFound,
  type PageRequest,
  pageOf,
} from '../../platform/core/schema/pages.ts'
import type { WireRecord } from '../../platform/core/schema/revisions.ts'
import { andChanged, type ChangeTime } from '../../platform/db/sql/changed.ts'
import { keyTypesOf, latestIdFirst, pageStatement } from '../../platform/db/sql/keyset.ts'
import { sql, when } from '../../platform/db/sql/sql.ts'
import { actorId } from '../single/actor-sql.ts'
import type { Board, View } from './model.ts'

/** The kinds that a caller may see: some of the built-in ones by name, and all or none of the organization's own. */
export type Kinds = { named: readonly string[]; builtIn: readonly string[]; own: boolean }

export async function listBoards(
  ctx: Context,
  search: PageRequest & ChangeTime & { objectKey?: string },
  kinds: Kinds,
): Promise<string> {
  const page = pageOf('boards', search, keyTypesOf(latestIdFirst))
  const seen = sql`org_id = ${ctx.org}${andChanged(ctx.org, 'boards', search)} and (object_key = any (${kinds.named}::text[]) or (${kinds.own}::boolean and object_key <> all (${kinds.builtIn}::text[])))
    ${when(search.objectKey, sql`and object_key = ${search.objectKey}`)}`
  const [found] = await ctx.run<FoundRecords>(
    pageStatement({
      total: sql`(select count(*)::int from boards where ${seen})`,
      rows: sql`from boards_wire where ${seen}`,
      order: latestIdFirst,
      page,
    }),
  )
  return envelope('boards', found ?? nothingFound, page, 'nextAfter')
}

export async function findBoard(ctx: Context, id: string): Promise<(WireRecord & { object_key: string }) | undefined> {
  const [row] = await ctx.run<WireRecord & { object_key: string }>(
    sql`select object_key, revision, json from boards_wire where org_id = ${ctx.org} and id = ${id}`,
  )
  return row
}

/** The kind that a board shows, or showed before it was deleted. */
export async function findKindShown(ctx: Context, id: string): Promise<string | undefined> {
  const [row] = await ctx.run<{ object_key: string }>(sql`
    select object_key from boards where org_id = ${ctx.org} and id = ${id}
    union all (select data ->> 'objectKey' from events where org_id = ${ctx.org} and subject_type = 'board' and subject_id = ${id} limit 1) limit 1`)
  return row?.object_key
}

export async function lockBoard(ctx: Context, id: string): Promise<Board | undefined> {
  const locked = await ctx.run(sql`select id from boards where org_id = ${ctx.org} and id = ${id} for update`)
  const found = locked.length > 0 ? await findBoard(ctx, id) : undefined
  return found && JSON.parse(found.json)
}

export async function insertBoard(
  ctx: Context,
  id: string,
  objectKey: string,
  { name, description, filter, columns, sort }: View,
): Promise<void> {
  await ctx.run(sql`
    insert into boards (org_id, id, object_key, name, description, filter, columns, sort, created_at, created_by, updated_at, updated_by)
    select own.org_id, ${id}::uuid, ${objectKey}::text, ${name}::text, ${description}::text, ${textOf(filter)}::text::jsonb, ${columns}::text[], ${sort}::text, now(), actor.id, now(), actor.id
    from organizations own cross join (select ${actorId(ctx)} as id) as actor where own.org_id = ${ctx.org}`)
}

export async function saveBoard(
  ctx: Context,
  id: string,
  { name, description, filter, columns, sort }: View,
): Promise<void> {
  await ctx.run(sql`
    update boards set name = ${name}, description = ${description}, filter = ${textOf(filter)}::text::jsonb, columns = ${columns}, sort = ${sort},
      version = version + 1, updated_at = statement_timestamp(), updated_by = ${actorId(ctx)}
    where org_id = ${ctx.org} and id = ${id}`)
}

export async function deleteBoard(ctx: Context, id: string): Promise<void> {
  await ctx.run(sql`delete from boards where org_id = ${ctx.org} and id = ${id}`)
}

function textOf(filter: View['filter']): string | null {
  return filter && JSON.stringify(filter)
}
