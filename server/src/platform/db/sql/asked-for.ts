import type { Reference } from '../../core/values/ids.ts'
import { each, named, type Statement, sql } from './sql.ts'

/** The row that is asked for: `row` is what its columns stand behind, such as `b`. Reads that differ in it alone can be asked together. */
export function isAskedFor(
  reference: Reference,
  row: string,
  { table, org }: { table: string; org: string },
): Statement {
  if (reference.by === 'id') return sql`${named(row)}.id = ${each('uuid', reference.id)}`
  if (reference.by === 'external_id') return sql`${named(row)}.external_id = ${each('text', reference.external_id)}`
  // Views that show a record have no column of its number.
  return sql`${named(row)}.id = (
    select n.id from ${named(table)} n where n.org_id = ${org} and n.number = ${each('int', reference.number)})`
}
