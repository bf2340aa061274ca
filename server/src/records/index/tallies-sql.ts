import type { Context } from '../../platform/context.ts'
import { countAll, type Tally, talliesOf } from '../../platform/db/counts/tallies.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'

/** Live objects are counted by kind and status, in the order of their creation and of their last change. */
export const countedObjects = {
  table: sql`objects`,
  kind: sql`'object:' || object_key`,
  label: sql`case when deleted_at is null then status end`,
  times: { created_at: sql`created_at`, updated_at: sql`updated_at` },
}

export function objectTallies(objectKey: string): Record<keyof (typeof countedObjects)['times'], Tally> {
  return talliesOf(countedObjects, `object:${objectKey}`, sql`object_key = ${objectKey}`)
}

/** How many live objects of a kind there are, at all or in some of its states. */
export function totalOf({ org }: Context, objectKey: string, statuses: readonly string[] | undefined): Statement {
  return countAll({
    org: sql`${org}::uuid`,
    tally: objectTallies(objectKey).created_at,
    labels: statuses && sql`${statuses}`,
  })
}
