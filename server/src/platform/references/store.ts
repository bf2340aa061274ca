import type { Context } from '../context.ts'
import { join, named, type Statement, sql } from '../db/sql/sql.ts'
import type { NamedKind } from './kinds.ts'

/** What is asked for of one kind. */
export type ReferenceRequest = {
  kind: string
  is: NamedKind
  externalIds: readonly string[]
  numbers: readonly number[]
}

export type FoundName = {
  kind: string
  external_id: string | null
  number: number | null
  full_id: string | null
  id: string
}

/** The ids of the records that have these names, of whatever kinds, in one statement. */
export async function findNamed(ctx: Context, asked: readonly ReferenceRequest[]): Promise<FoundName[]> {
  const parts = asked.flatMap((one) => [
    ...(one.externalIds.length > 0 ? [namedBy(ctx, one, sql`external_id = any(${one.externalIds}::text[])`)] : []),
    ...(one.numbers.length > 0 ? [namedBy(ctx, one, sql`number = any(${one.numbers}::int[])`)] : []),
  ])
  return parts.length === 0 ? [] : ctx.run<FoundName>(join(parts, sql` union all `))
}

function namedBy({ org }: Context, { kind, is }: ReferenceRequest, which: Statement): Statement {
  if ('objectKey' in is)
    // A kind of objects may be the caller's word, so it is a value here and no name.
    return sql`
      select ${kind}::text as kind, external_id, number, full_id, id from objects
      where org_id = ${org} and ${which} and object_key = ${is.objectKey} and deleted_at is null`
  const number = is.prefix === undefined ? sql`null::int` : sql`number`
  return sql`
    select '${named(kind)}' as kind, external_id, ${number} as number, null as full_id, id from ${named(is.table)}
    where org_id = ${org} and ${which}`
}
