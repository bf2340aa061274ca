import type { Tally } from '../../platform/db/counts/tallies.ts'
import { objectTallies } from './tallies-sql.ts'

export function findObjectTally(name: string): Tally | undefined {
  const [, objectKey, time] = /^object:(\w+)\.(created_at|updated_at)$/.exec(name) ?? []
  return objectKey === undefined ? undefined : objectTallies(objectKey)[time as 'created_at' | 'updated_at']
}
