import type { Context } from '../../context.ts'
import { sql } from '../../db/sql.ts'

let known: Promise<ReadonlySet<string>> | undefined

/** ISO 4217 changes with a migration and at no other time, so each process asks once. */
export function currencyIds(ctx: Context): Promise<ReadonlySet<string>> {
  known ??= ctx.run<{ id: string }>(sql`select id from currencies`).then((rows) => new Set(rows.map(({ id }) => id)))
  known.catch(() => {
    known = undefined
  })
  return known
}
