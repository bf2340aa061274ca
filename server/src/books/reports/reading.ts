import { Readable } from 'node:stream'
import type { Context } from '../../platform/context.ts'
import { csvLine, type Written } from '../../platform/core/tables/csv.ts'
import { currencyCell, decimalCell, type MinorUnits } from '../../platform/core/tables/decimals.ts'
import type { Answer } from '../../platform/http/answers/answers.ts'
import { preferredOf } from '../../platform/http/answers/media.ts'
import { minorUnits } from '../currencies/known.ts'

/** The forms of every report, best first. */
export const offers = ['application/json', 'text/csv'] as const

/** A report in the form that the caller likes best: the JSON text as it is, or its rows as CSV with these columns. */
export async function reportAnswer(
  ctx: Context,
  accept: string | undefined,
  json: string,
  { name, columns }: { name: string; columns: readonly string[] },
): Promise<Answer> {
  if (preferredOf(accept, offers) !== 'text/csv') return { status: 200, headers: {}, body: json }
  const units = await minorUnits(ctx)
  const { rows, home_currency_id = null } = parseExactly(json) as {
    rows: Record<string, Value>[]
    home_currency_id?: string | null
  }
  const decimals = decimalColumns(columns)
  const cellsOf = (row: Record<string, Value>) => {
    const both = { ...row, home_currency_id }
    return [...columns.map((column) => cellOf(row[column])), ...decimals.map(({ of }) => decimalOf(both, of, units))]
  }
  const lines = [
    csvLine([...columns, ...decimals.map(({ name }) => name)]),
    ...rows.map((row) => csvLine(cellsOf(row))),
  ]
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv"`,
  }
  return { status: 200, headers, body: null, stream: Readable.from(lines) }
}

/** What a report has besides its columns: the codes of the currencies, and every amount with its decimals. */
export function decimalColumns(columns: readonly string[]): { name: string; of: string }[] {
  const amounts = columns.filter((name) => /(?:^|_)amount$/.test(name))
  const own = amounts.some((name) => !name.startsWith('home_')) ? [{ name: 'currency', of: 'currency_id' }] : []
  const home = amounts.some((name) => name.startsWith('home_'))
    ? [{ name: 'home_currency', of: 'home_currency_id' }]
    : []
  return [...own, ...home, ...amounts.map((of) => ({ name: `${of}_decimal`, of }))]
}

function decimalOf(row: Record<string, Value>, of: string, units: MinorUnits): Written {
  if (of.endsWith('currency_id')) return currencyCell(row[of])
  return decimalCell(row[of], row[of.startsWith('home_') ? 'home_currency_id' : 'currency_id'], units)
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
  const exact = (_key: string, value: unknown, context: { source?: string }) =>
    typeof value === 'number' ? BigInt(context.source as string) : value
  return JSON.parse(json, exact as Parameters<typeof JSON.parse>[1])
}
