import { Readable } from 'node:stream'
import { csvLine } from '../core/csv.ts'
import type { Answer } from '../http/answers.ts'
import { preferredOf } from '../http/media.ts'

/** The forms of every report, best first. */
export const offers = ['application/json', 'text/csv'] as const

/** A report in the form that the caller likes best: the JSON text as it is, or its rows as CSV with these columns. */
export function reportAnswer(accept: string | undefined, json: string, { name, columns }: { name: string; columns: readonly string[] }): Answer {
  if (preferredOf(accept, offers) !== 'text/csv') return { status: 200, headers: {}, body: json }
  const { rows } = parseExactly(json) as { rows: Record<string, Value>[] }
  const lines = [csvLine([...columns]), ...rows.map((row) => csvLine(columns.map((column) => cellOf(row[column]))))]
  const headers = { 'content-type': 'text/csv; charset=utf-8; header=present', 'content-disposition': `attachment; filename="${name}.csv"` }
  return { status: 200, headers, body: null, stream: Readable.from(lines) }
}

type Value = string | bigint | boolean | null | readonly string[]

/** A decimal number is a number, not a text: a negative one would get the apostrophe of a formula. */
function cellOf(value: Value | undefined): string | bigint | number | boolean | null {
  if (Array.isArray(value)) return value.join(' ')
  const single = (value ?? null) as Exclude<Value, readonly string[]>
  return typeof single === 'string' && /^-?\d+\.\d+$/.test(single) ? Number(single) : single
}

/** With numbers as they are written: a sum may be larger than a JavaScript number can hold exactly. A bigint is written without quotes or an apostrophe. */
function parseExactly(json: string): unknown {
  const exact = (_key: string, value: unknown, context: { source?: string }) => (typeof value === 'number' ? BigInt(context.source as string) : value)
  return JSON.parse(json, exact as Parameters<typeof JSON.parse>[1])
}
