import type { Context } from '../../platform/context.ts'
import { invalid, quote } from '../../platform/core/refusal.ts'
import type { ChangeTime } from '../../platform/db/sql/changed.ts'
import { nothing, type Statement, sql, when } from '../../platform/db/sql/sql.ts'
import { totalOf } from '../index/tallies-sql.ts'
import type { Extension } from '../kinds/extension.ts'
import type { Definition } from '../kinds/kind.ts'
import type { Condition, Filter } from './conditions/condition.ts'
import { idsMeeting, meets, meetsDeleted } from './conditions/conditions-sql.ts'
import type { PlaceOptions } from './conditions/fields.ts'
import { readFilter } from './conditions/filter.ts'
import { ofKind } from './conditions/kind-sql.ts'
import { idsWithWords } from './conditions/words-sql.ts'

/** Which objects are wanted: those that meet the filter and have the words; of the deleted ones if that is asked for. What has a name of its own is apart from the filter, so that refusals name the paths of the filter as it was sent. */
export type ObjectSelection = ChangeTime & {
  filter?: Filter | undefined
  status?: readonly string[] | undefined
  externalId?: string | undefined
  q?: string | undefined
  deleted?: 'only' | undefined
}

/**
 * What was selected: the items of a `with`, the exact total, and the rows as `objects o where …`. With `scan` most objects are selected, so a page is
 * read in the order of an index. Otherwise the ids are in `found`, and only those rows are meant.
 */
export type Selection = {
  found: Statement
  total: Statement
  rows: Statement
  scan: boolean
  whole: boolean
  /** Whether an object is selected, where its id is enough to know. */
  member?: (id: Statement) => Statement
  /** Set if the tallies know the total: of all statuses, or of some. */
  tallied?: { statuses: readonly string[] | undefined }
}

export function select(
  ctx: Context,
  definition: Definition,
  { q, deleted, ...wanted }: ObjectSelection,
  extensions: readonly Extension[],
): Selection {
  const scope = { org: ctx.org, objectKey: definition.objectKey }
  const condition = conditionIn(definition, wanted, { deleted: deleted !== undefined, extensions })
  if (deleted) return selectDeleted(ctx, definition, condition, q)
  const all = sql`objects o where ${ofKind(scope)}`
  const statuses = statusesIn(condition)
  if (!q && (condition === null || statuses)) {
    const total = totalOf(ctx, definition.objectKey, statuses)
    const rows = condition ? sql`${all} and ${meets(scope, condition)}` : all
    return { found: nothing, total, rows, scan: true, whole: condition === null, tallied: { statuses } }
  }
  if (!q && condition?.is === 'not') {
    const found = sql`with found as materialized (${idsMeeting(scope, condition.part)})`
    const total = sql`(${totalOf(ctx, definition.objectKey, undefined)} - (select count(*) from found))`
    return { found, total, rows: sql`${all} and o.id not in (select id from found)`, scan: true, whole: false }
  }
  const sets = [...(q ? [idsWithWords(scope, q)] : []), ...(condition ? [idsMeeting(scope, condition)] : [])]
  const ids = sets.length === 1 ? (sets[0] as Statement) : sql`(${sets[0]}) intersect (${sets[1]})`
  const found = sql`with found as materialized (${ids}), counted as materialized (select count(*) as n from found)`
  return { found, total: sql`(select n from counted)`, rows: all, scan: false, whole: false }
}

/** The rows that are meant, as `objects o where …`, whether or not the ids were collected first. */
export function onlyFound({ rows, scan }: Selection): Statement {
  return scan ? rows : sql`${rows} and o.id in (select id from found)`
}

function conditionIn(
  definition: Definition,
  { filter, status, externalId, update_start_at, updated_start_at, updated_end_at }: ObjectSelection,
  options: PlaceOptions,
): Condition | null {
  const unknown = status?.find((state) => !definition.statuses.includes(state))
  if (unknown !== undefined)
    throw invalid(
      'status',
      'unknown_value',
      `"status" cannot be ${quote(unknown)}; allowed: ${definition.statuses.join(', ')}.`,
      definition.statuses,
    )
  const given: Filter[] = [
    ...(status?.length ? [{ field: 'status', op: 'in' as const, value: status }] : []),
    ...(externalId === undefined ? [] : [{ field: 'externalId', op: 'eq' as const, value: externalId }]),
  ]
  const changed = [
    ...[update_start_at, updated_start_at].map((value) => ({ field: 'updatedAt', op: 'gte' as const, value })),
    { field: 'updatedAt', op: 'lte' as const, value: updated_end_at },
  ].filter(({ value }) => value !== undefined)
  if (changed.length > 0) given.push({ and: changed })
  const parts = [
    ...given.map((part) => readFilter(definition, part, options)),
    ...(filter === undefined ? [] : [readFilter(definition, filter, options)]),
  ]
  return parts.length > 1 ? { is: 'and', parts } : (parts[0] ?? null)
}

/** Deleted objects have no index entries: all of them are read, compared by their own columns, and counted. */
function selectDeleted(
  ctx: Context,
  { objectKey }: Definition,
  condition: Condition | null,
  q: string | undefined,
): Selection {
  if (q)
    throw invalid(
      'q',
      'not_for_deleted',
      '"q" does not find deleted objects; use a filter on name, fullId, externalId or another field that every object has.',
    )
  const rows = sql`objects o where o.org_id = ${ctx.org} and o.object_key = ${objectKey} and o.deleted_at is not null ${when(condition, sql`and ${condition ? meetsDeleted(condition) : nothing}`)}`
  return { found: nothing, total: sql`(select count(*) from ${rows})`, rows, scan: true, whole: false }
}

/** The statuses, if the condition is on the status alone: how many objects have each is known from the tallies. */
function statusesIn(condition: Condition | null): readonly string[] | undefined {
  const isStatus = condition?.is === 'among' && condition.place.in === 'column' && condition.place.column === 'status'
  return isStatus ? (condition.values as readonly string[]) : undefined
}
