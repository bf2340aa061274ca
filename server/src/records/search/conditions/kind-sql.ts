import { type Statement, sql } from '../../../platform/db/sql/sql.ts'

export type Scope = { org: string; objectKey: string }

/** Live objects of the kind, as `o`. */
export function ofKind({ org, objectKey }: Scope): Statement {
  return sql`o.org_id = ${org} and o.object_key = ${objectKey} and o.deleted_at is null`
}

/** Comparisons, not `like`: under row-level security only they can use the index. */
export function begins(column: Statement, beginning: string): Statement {
  return sql`${column} >= ${beginning} and ${column} < ${`${beginning}\u{10ffff}`}`
}
