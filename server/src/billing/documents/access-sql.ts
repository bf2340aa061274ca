import type { Context } from '../../context.ts'
import { named, nothing, type Statement, sql } from '../../db/sql.ts'
import { valuesFor } from './access.ts'
import type { Kind } from './model/kind.ts'

/** That the caller may see the document `b`. */
export function isSeenBy(ctx: Context, kind: Kind): Statement {
  const values = valuesFor(ctx, kind)
  return values && kind.access ? sql` and b.${named(kind.access.field)} = any(${values}::text[])` : nothing
}
