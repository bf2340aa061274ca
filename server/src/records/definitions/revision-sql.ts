import type { Context } from '../../platform/context.ts'
import { type Statement, sql } from '../../platform/db/sql/sql.ts'
import { builtInKind } from '../kinds/built-in.ts'

/** The revision of a definition now, as part of a larger statement; that of a built-in kind which the organization has not changed is 1. */
export function revisionNow(ctx: Context, objectKey: string): Statement {
  const unchanged = builtInKind(objectKey) ? sql`1` : sql`0`
  return sql`coalesce((select revision from definitions where org_id = ${ctx.org} and object_key = ${objectKey} and deleted_at is null), ${unchanged})`
}
