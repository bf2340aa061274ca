import type { Context } from '../../platform/context.ts'
import type { Cursor } from '../../platform/core/schema/cursors.ts'
import type { Slice } from '../../platform/core/schema/pages.ts'
import { type Statement, sliceOf, sql } from '../../platform/db/sql/sql.ts'
import type { Definition } from '../kinds/kind.ts'
import { isBehind, scannedAfter } from './after-sql.ts'
import { fewEnough } from './conditions/candidates-sql.ts'
import { deepPage, isDeep } from './deep-page-sql.ts'
import { scanned } from './index-scan-sql.ts'
import type { Selection } from './selection-sql.ts'
import { isId, type Key } from './sort.ts'
import { joined, orderBy, termsOf } from './sort-terms-sql.ts'

/**
 * One page of what was selected, as `id` and `place`: from an offset, or behind a cursor. Objects equal in all keys are in the order of their ids, in
 * the direction of the first key.
 */
export function pageIn(
  ctx: Context,
  { objectKey }: Definition,
  keys: readonly Key[],
  selection: Selection,
  page: Slice & { after?: Cursor | undefined },
): Statement {
  const [first, ...rest] = keys as [Key, ...Key[]]
  const { descending } = first
  const { limit, after: cursor } = page
  if (!cursor && rest.length === 0 && isDeep(first, selection, page))
    return deepPage(ctx, objectKey, first, selection, page)
  const terms = termsOf(ctx, objectKey, keys)
  const scan = (selection: Selection) =>
    cursor
      ? scannedAfter(ctx, selection, { terms, descending, limit, cursor })
      : scanned(ctx, terms, descending, selection, page)
  if (selection.scan) return scan(selection)
  const order = orderBy(terms, sql`o.id`, descending)
  const behind = cursor ? isBehind(terms, cursor, sql`o.id`, descending) : sql`true`
  const sorted = (rows: Statement) =>
    sql`select o.id, row_number() over (order by ${order}) as place from ${rows} ${joined(terms, sql`o.id`, 'each')} where ${behind}`
  if (isId(first.place)) return sql`${sorted(sql`found as o`)} order by ${order} ${sliceOf(page)}`
  const found = sql`found cross join lateral (select o.* from objects o where o.org_id = ${ctx.org} and o.id = found.id offset 0) as o`
  const isMany = sql`(select n > ${fewEnough} from counted)`
  const few = sql`${sorted(found)} and not ${isMany}`
  const many = scan({
    ...selection,
    member: (id) => sql`${isFound(id)} and ${isMany}`,
    rows: sql`${selection.rows} and ${isFound(sql`o.id`)} and ${isMany}`,
  })
  return sql`
    select id, place from ((${few} order by ${order} ${sliceOf(page)}) union all (select id, place from (${many}) as many)) as either`
}

/** A condition on each row, not a join: a join would lose the order of the index. */
function isFound(id: Statement): Statement {
  return sql`(${id} in (select id from found)) is true`
}
