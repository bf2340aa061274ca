import type { Context } from '../context.ts'
import { type Statement, sql, when } from '../db/sql.ts'

/** How many live objects of a kind there are, at all or in some of its states. */
export function totalOf({ org }: Context, objectKey: string, statuses: readonly string[] | undefined): Statement {
  return sql`(select count(*) from objects where org_id = ${org} and object_key = ${objectKey} and deleted_at is null ${when(statuses, sql`and status = any (${statuses}::text[])`)})`
}
