import type { Context } from '../../context.ts'
import { type Statement, sql } from '../../db/sql.ts'
import { countAll, type Tally, talliesOf } from '../../db/tallies.ts'

/** Objects are counted by kind and state, along when they were made and when they were last changed; deleted ones are not. */
export const countedObjects = {
  table: sql`objects`,
  kind: sql`'object:' || object_key`,
  label: sql`case when deleted_at is null then status end`,
  times: { created_at: sql`created_at`, updated_at: sql`updated_at` },
}

export function objectTallies(objectKey: string): Record<keyof (typeof countedObjects)['times'], Tally> {
  return talliesOf(countedObjects, `object:${objectKey}`, sql`object_key = ${objectKey}`)
}

export function findObjectTally(name: string): Tally | undefined {
  const [, objectKey, time] = /^object:(\w+)\.(created_at|updated_at)$/.exec(name) ?? []
  return objectKey === undefined ? undefined : objectTallies(objectKey)[time as 'created_at' | 'updated_at']
}

/** How many live objects of a kind there are, at all or in some of its states. */
export function totalOf({ org }: Context, objectKey: string, statuses: readonly string[] | undefined): Statement {
  return countAll({ org: sql`${org}::uuid`, tally: objectTallies(objectKey).created_at, labels: statuses && sql`${statuses}` })
}
