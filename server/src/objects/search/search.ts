import type { Context } from '../../context.ts'
import { envelope, pageOf } from '../../core/pages.ts'
import { unavailable } from '../../core/refusal.ts'
import { plannedOnce, type Statement, sql } from '../../db/sql.ts'
import { type Define, revisionNow, withDefinitions } from '../definitions/read.ts'
import type { Definition } from '../kinds/kind.ts'
import type { Key } from './index-scan-sql.ts'
import { pageIn, readSort } from './page-sql.ts'
import { chosen, readPaths } from './paths.ts'
import { select, type Wanted } from './selection-sql.ts'

export type Search = Wanted & {
  /** Fields, each with - in front for descending; newest first unless said. */
  sort?: string | undefined
  offset?: number | undefined
  limit?: number | undefined
  paths?: readonly string[] | undefined
}

export type SearchOptions = {
  /** The name of the list in the envelope. */
  name?: string
  /** Called with every kind whose objects are shown: throws if the caller may not see them. */
  permit?: (objectKey: string) => void
}

/** A page of objects of a kind as JSON text, in the envelope `{ <name>, offset, limit, total }`: one round trip while definitions stand still. */
export async function searchObjects(ctx: Context, objectKey: string, search: Search, options: SearchOptions = {}): Promise<string> {
  options.permit?.(objectKey)
  const answer = await withDefinitions(ctx, (define) => attempt(ctx, objectKey, search, options, define))
  if (answer === undefined) throw unavailable('The definition of this kind is being changed at this moment. Try again.')
  return answer
}

/** Refuses what a search with these would refuse, without looking for anything. */
export async function requireSearch(ctx: Context, objectKey: string, search: Search, define: Define): Promise<void> {
  const definition = await define(objectKey)
  if (search.paths) await readPaths(definition, search.paths, define)
  select(ctx, definition, search)
  sortOf(definition, search)
}

/** Everything that a search finds, in its order: the items of a `with`, and `select id … from …` for as long as it is read. */
export function everything(ctx: Context, definition: Definition, search: Search): { found: Statement; ids: Statement } {
  const selection = select(ctx, definition, search)
  return { found: selection.found, ids: pageIn(ctx, definition, sortOf(definition, search), selection, { offset: 0, limit: 2 ** 40 }) }
}

/** Nothing where the definition that the search was read with holds no more. */
async function attempt(
  ctx: Context,
  objectKey: string,
  search: Search,
  { name = 'objects', permit }: SearchOptions,
  define: Define,
): Promise<string | undefined> {
  const definition = await define(objectKey)
  const page = pageOf({ ...(search.offset !== undefined && { offset: search.offset }), ...(search.limit !== undefined && { limit: search.limit }) })
  const lookup = (key: string) => {
    permit?.(key)
    return define(key)
  }
  const whole = search.paths?.length ? sql`(${chosen(ctx.org, await readPaths(definition, search.paths, lookup))})::text` : sql`w.json`
  const shown = search.deleted ? sql`left(${whole}, -1) || ',"deletedAt":"' || wire_time(w.deleted_at) || '"}'` : whole
  const selection = select(ctx, definition, search)
  const statement = sql`
    ${selection.found} select ${revisionNow(ctx, definition.objectKey)} as revision, ${selection.total} as total,
      (select '[' || coalesce(string_agg(${shown}, ',' order by page.place), '') || ']'
        from (${pageIn(ctx, definition, sortOf(definition, search), selection, page)}) as page join objects_wire w on w.org_id = ${ctx.org} and w.id = page.id) as list`
  const [row] = await ctx.run<{ list: string; total: number; revision: number }>(plannedOnce(statement))
  if (row?.revision !== definition.revision) return undefined
  return envelope(name, row, page)
}

function sortOf(definition: Definition, { sort, deleted }: Search): Key[] {
  return readSort(definition, sort ?? (deleted ? '-deletedAt' : '-createdAt'), { deleted: deleted !== undefined })
}
