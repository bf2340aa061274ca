import type { Context } from '../../platform/context.ts'
import type { FoundRecords, Page } from '../../platform/core/schema/pages.ts'
import { listAndNext } from '../../platform/db/sql/keyset.ts'
import { plannedOnce, searching, sql } from '../../platform/db/sql/sql.ts'
import { revisionNow } from '../definitions/revision-sql.ts'
import type { Definition } from '../kinds/kind.ts'
import { pageIn } from './page-sql.ts'
import type { Choice } from './paths.ts'
import { chosen } from './paths-sql.ts'
import type { Selection } from './selection-sql.ts'
import type { Key } from './sort.ts'
import { keyOfObject, termsOf } from './sort-terms-sql.ts'

export type FoundPage = FoundRecords & { revision: number }

export type PageOptions = {
  keys: readonly Key[]
  page: Page
  /** What to show of each object; all of it if there is no choice. */
  choice: Choice | undefined
  deleted: boolean
}

/** A page, the total, and the revision of the definition by now, in one round trip. */
export async function findPage(
  ctx: Context,
  definition: Definition,
  selection: Selection,
  { keys, page, choice, deleted }: PageOptions,
): Promise<FoundPage | undefined> {
  const whole = choice ? sql`(${chosen(ctx.org, choice)})::text` : sql`w.json`
  const shown = deleted ? sql`left(${whole}, -1) || ',"deletedAt":"' || wire_time(w.deleted_at) || '"}'` : whole
  const rows = pageIn(ctx, definition, keys, selection, { ...page, limit: page.limit + 1 })
  const next = keyOfObject(ctx, termsOf(ctx, definition.objectKey, keys), sql`listed.next`)
  const statement = sql`
    ${selection.found} select ${revisionNow(ctx, definition.objectKey)} as revision, ${selection.total} as total, listed.list, ${next} as next
    from (select ${listAndNext(page.limit, shown, sql`page.id`)}
      from (select id, row_number() over (order by place) as place from (${rows}) as ordered) as page join objects_wire w on w.org_id = ${ctx.org} and w.id = page.id) as listed`
  const [row] = await ctx.run<FoundPage>(searching(plannedOnce(statement)))
  return row
}

/** How many were selected. Where they are not collected first, no more than one beyond `most` is looked at. */
export async function countUpTo(ctx: Context, { found, rows, scan, total }: Selection, most: number): Promise<number> {
  const statement = scan
    ? sql`${found} select count(*)::int as n from (select from ${rows} limit ${most + 1}) as matching`
    : sql`${found} select ${total}::int as n`
  const [row] = await ctx.run<{ n: number }>(statement)
  return row?.n ?? 0
}

export type FoundObject = { id: string; object_key: string; revision: number; json: string }

/** One object, as much of it as was chosen. */
export async function findChosenFields(ctx: Context, id: string, choice: Choice): Promise<FoundObject | undefined> {
  const [row] = await ctx.run<FoundObject>(sql`
    select w.id, w.object_key, w.revision, (${chosen(ctx.org, choice)})::text as json from objects_wire w where w.org_id = ${ctx.org} and w.id = ${id} and w.deleted_at is null`)
  return row
}
