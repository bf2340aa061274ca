import type { Context } from '../context.ts'
import { type Statement, sql } from '../db/sql.ts'
import { countAll, type Tally, talliesOf } from '../db/tallies.ts'

/** Objects are counted by kind and state, along when they were made; deleted ones are not. */
export const countedObjects = {
  table: sql`objects`,
  kind: sql`'object:' || object_key`,
  label: sql`case when deleted_at is null then status end`,
  times: { created_at: sql`created_at` },
}

export function objectTally(objectKey: string): Tally {
  return talliesOf(countedObjects, `object:${objectKey}`, sql`object_key = ${objectKey}`).created_at
}

export function findObjectTally(name: string): Tally | undefined {
  const objectKey = /^object:(\w+)\.created_at$/.exec(name)?.[1]
  return objectKey === undefined ? undefined : objectTally(objectKey)
}

/** How many live objects of a kind there are, at all or in some of its states. */
export function totalOf({ org }: Context, objectKey: string, statuses: readonly string[] | undefined): Statement {
  return countAll({ org: sql`${org}::uuid`, tally: objectTally(objectKey), labels: statuses && sql`${statuses}` })
}
