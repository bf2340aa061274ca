import { join, named, type Statement, sql } from '../../../platform/db/sql/sql.ts'
import type { Field, Fields, SqlType } from '../model/fields/fields.ts'

const comma = sql`, `

/** `n.due_date, n.notes`: these columns of the row called `alias`. */
export function columnsOf(alias: string, names: readonly string[]): Statement {
  return join(
    names.map((name) => sql`${named(alias)}.${named(name)}`),
    comma,
  )
}

/** `due_date timestamptz, notes text`: what a recordset is read as. */
export function typedColumns(types: Readonly<Record<string, SqlType>>): Statement {
  return join(
    Object.entries(types).map(([name, type]) => sql`${named(name)} ${named(type)}`),
    comma,
  )
}

export function typesOf(fields: Fields, names: readonly string[]): Record<string, SqlType> {
  return Object.fromEntries(names.map((name) => [name, (fields[name] as Field).column as SqlType]))
}
