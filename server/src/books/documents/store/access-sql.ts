import type { Context } from '../../../platform/context.ts'
import { named, nothing, type Statement, sql } from '../../../platform/db/sql/sql.ts'
import type { Kind } from '../model/kind/kind.ts'
import { valuesFor } from './access.ts'

/** That the caller may see the document `b`. */
export function isSeenBy(ctx: Context, kind: Kind): Statement {
  const values = valuesFor(ctx, kind)
  return values && kind.access ? sql` and b.${named(kind.access.field)} = any(${values}::text[])` : nothing
}
