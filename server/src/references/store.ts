import type { Context } from '../context.ts'
import { join, named, type Statement, sql } from '../db/sql.ts'
import type { NamedKind } from './kinds.ts'

/** What is asked for of one kind. */
export type Asked = { kind: string; is: NamedKind; externalIds: readonly string[]; numbers: readonly number[] }

export type FoundName = {
  kind: string
  external_id: string | null
  number: number | null
  full_id: string | null
  id: string
}

/** The ids of the records that have these names, of whatever kinds, in one statement. */
export async function findNamed(ctx: Context, asked: readonly Asked[]): Promise<FoundName[]> {
  const parts = asked.flatMap((one) => [
    ...(one.externalIds.length > 0
      ? [sql`${columnsOf(one)}${ctx.org} and external_id = any(${one.externalIds}::text[])${whichOf(one)}`]
      : []),
    ...(one.numbers.length > 0
      ? [sql`${columnsOf(one)}${ctx.org} and number = any(${one.numbers}::int[])${whichOf(one)}`]
      : []),
  ])
  return parts.length === 0 ? [] : ctx.run<FoundName>(join(parts, sql` union all `))
}

function columnsOf({ kind, is }: Asked): Statement {
  if ('objectKey' in is)
    return named`select '${kind}' as kind, external_id, number, full_id, id from objects where org_id = `
  const number = is.prefix === undefined ? sql`null::int` : sql`number`
  return sql`${named`select '${kind}' as kind`}, external_id, ${number} as number, null as full_id, id ${named`from ${is.table} where org_id = `}`
}

function whichOf({ is }: Asked): Statement {
  return 'objectKey' in is ? sql` and object_key = ${is.objectKey} and deleted_at is null` : sql``
}
