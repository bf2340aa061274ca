import type { Context } from '../../context.ts'
import { invalid, quote } from '../../core/refusal.ts'
import { nothing, type Statement, sql, when } from '../../db/sql.ts'
import { totalOf } from '../index/tallies-sql.ts'
import type { Definition } from '../kinds/kind.ts'
import { idsMeeting, meets, meetsDeleted } from './conditions-sql.ts'
import type { PlaceOptions } from './fields.ts'
import { type Condition, type Filter, readFilter } from './filter.ts'
import { ofKind } from './kind-sql.ts'
import { idsWithWords } from './words-sql.ts'

/** Which objects: those that meet the filter and have the words; of the deleted ones where that is said. */
export type Wanted = {
  filter?: Filter | undefined
  /** Beside the filter, so that what is wrong with that is said of its own spots. */
  status?: readonly string[] | undefined
  externalId?: string | undefined
  q?: string | undefined
  deleted?: 'only' | undefined
}

/**
 * What is asked for: the items of a `with`, the exact total, and the rows as `objects o where …`. Where few are left out, or none, `walk` is true:
 * then the order of an index leads through the page. Otherwise their ids are `found`, and of the rows those are meant.
 */
export type Selection = {
  found: Statement
  total: Statement
  rows: Statement
  walk: boolean
  whole: boolean
  /** Whether an object is one of them, where that can be told from its id. */
  member?: (id: Statement) => Statement
  /** Where the tallies know how many there are: of all states, or of some. */
  tallied?: { statuses: readonly string[] | undefined }
}

export function select(ctx: Context, definition: Definition, { q, deleted, ...wanted }: Wanted): Selection {
  const scope = { org: ctx.org, objectKey: definition.objectKey }
  const condition = conditionIn(definition, wanted, { deleted: deleted !== undefined })
  if (deleted) return selectDeleted(ctx, definition, condition, q)
  const all = sql`objects o where ${ofKind(scope)}`
  const statuses = statusesIn(condition)
  if (!q && (condition === null || statuses)) {
    const total = totalOf(ctx, definition.objectKey, statuses)
    const rows = condition ? sql`${all} and ${meets(scope, condition)}` : all
    return { found: nothing, total, rows, walk: true, whole: condition === null, tallied: { statuses } }
  }
  if (!q && condition?.is === 'not') {
    const found = sql`with found as materialized (${idsMeeting(scope, condition.part)})`
    const total = sql`(${totalOf(ctx, definition.objectKey, undefined)} - (select count(*) from found))`
    return { found, total, rows: sql`${all} and o.id not in (select id from found)`, walk: true, whole: false }
  }
  const sets = [...(q ? [idsWithWords(scope, q)] : []), ...(condition ? [idsMeeting(scope, condition)] : [])]
  const ids = sets.length === 1 ? (sets[0] as Statement) : sql`(${sets[0]}) intersect (${sets[1]})`
  const found = sql`with found as materialized (${ids}), counted as materialized (select count(*) as n from found)`
  return { found, total: sql`(select n from counted)`, rows: all, walk: false, whole: false }
}

function conditionIn(definition: Definition, { filter, status, externalId }: Wanted, options: PlaceOptions): Condition | null {
  const unknown = status?.find((state) => !definition.statuses.includes(state))
  if (unknown !== undefined)
    throw invalid('status', 'unknown_value', `"status" cannot be ${quote(unknown)}; allowed: ${definition.statuses.join(', ')}.`, definition.statuses)
  const said: Filter[] = [
    ...(status?.length ? [{ field: 'status', op: 'in' as const, value: status }] : []),
    ...(externalId === undefined ? [] : [{ field: 'externalId', op: 'eq' as const, value: externalId }]),
  ]
  const parts = [...said.map((part) => readFilter(definition, part, options)), ...(filter === undefined ? [] : [readFilter(definition, filter, options)])]
  return parts.length > 1 ? { is: 'and', parts } : (parts[0] ?? null)
}

/** Nothing stands beside a deleted object, so it is found by what stands in its own row alone; they are gone through, and counted. */
function selectDeleted(ctx: Context, { objectKey }: Definition, condition: Condition | null, q: string | undefined): Selection {
  if (q)
    throw invalid('q', 'not_for_deleted', '"q" does not find deleted objects; use a filter on name, fullId, externalId or another field that every object has.')
  const rows = sql`objects o where o.org_id = ${ctx.org} and o.object_key = ${objectKey} and o.deleted_at is not null ${when(condition, sql`and ${condition ? meetsDeleted(condition) : nothing}`)}`
  return { found: nothing, total: sql`(select count(*) from ${rows})`, rows, walk: true, whole: false }
}

/** The states of a condition on the state alone: how many are in each is known without looking. */
function statusesIn(condition: Condition | null): readonly string[] | undefined {
  const isStatus = condition?.is === 'among' && condition.place.in === 'column' && condition.place.column === 'status'
  return isStatus ? (condition.values as readonly string[]) : undefined
}
