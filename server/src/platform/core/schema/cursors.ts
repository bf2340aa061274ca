import { createHash } from 'node:crypto'
import { invalid, type Refusal } from '../refusal.ts'
import { isForDatabase } from '../values/dates.ts'
import { isId } from '../values/ids.ts'
import { unstorable } from '../values/storable.ts'

/** What a value that a search orders by is. `any` is one of a field that may hold a number, a text or a flag: an array of the three, of which one is not null. */
export type KeyType = 'time' | 'integer' | 'number' | 'text' | 'id' | 'flag' | 'any'

export type KeyValue = string | number | boolean | null | readonly KeyValue[]

/** The last record of a page: its value of each key of the order; the last key is the one that no two records share. */
export type Cursor = readonly KeyValue[]

/** A cursor as text. `search` says of which search and order it is; `values` is a JSON array, as the database makes it. */
export function writeCursor(search: string, values: string): string {
  return Buffer.from(`["${checkOf(search)}",${values}]`).toString('base64url')
}

/** Refuses what is no cursor of this search in this order. Callers can make up any text, so each value is checked before it reaches the database. */
export function readCursor(search: string, text: string, types: readonly KeyType[]): Cursor {
  const [check, values] = parsed(text)
  if (check !== checkOf(search) || !Array.isArray(values) || values.length !== types.length) throw invalidCursor()
  if (!types.every((type, index) => isValue(type, values[index], index < types.length - 1))) throw invalidCursor()
  return values
}

/** Short: it finds mistakes, and keeps nobody from making up a cursor of their own. */
function checkOf(search: string): string {
  return createHash('sha256').update(search).digest('base64url').slice(0, 8)
}

function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

function isValue(type: KeyType, value: unknown, nullable: boolean): boolean {
  if (value === null) return nullable
  switch (type) {
    case 'time':
      return typeof value === 'string' && isForDatabase(value)
    case 'integer':
      return Number.isSafeInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'text':
      return typeof value === 'string' && unstorable(value) === null
    case 'id':
      return typeof value === 'string' && isId(value)
    case 'flag':
      return typeof value === 'boolean'
    case 'any':
      return (
        Array.isArray(value) &&
        value.length === 3 &&
        (['number', 'text', 'flag'] as const).every((inner, index) => isValue(inner, value[index], true))
      )
  }
}

function invalidCursor(): Refusal {
  return invalid(
    'after',
    'invalid_cursor',
    '"after" is not a cursor of this search. Send it with the sort and the filters that it was answered to, or leave it out to begin again.',
  )
}
