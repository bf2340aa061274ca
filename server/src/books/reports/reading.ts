import { Readable } from 'node:stream'
import Type, { type TObject } from 'typebox'
import type { Context } from '../../platform/context.ts'
import { type CellValue, csvLine } from '../../platform/core/tables/csv.ts'
import { currencyCell, decimalCell, type MinorUnits } from '../../platform/core/tables/decimals.ts'
import { tooManyToReport } from '../../platform/core/tables/lots.ts'
import type { Answer } from '../../platform/http/answers/answers.ts'
import { preferredOf } from '../../platform/http/answers/media.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { minorUnits } from '../currencies/known.ts'

/** The forms of every report, best first. */
export const offers = ['application/json', 'text/csv'] as const

/** A report of more rows is asked for in parts. */
export const mostRows = 50_000

export const inCsv =
  'With `Accept: text/csv` the rows come as CSV, in which money is a decimal number in the columns that end in `_decimal`, next to `currency` and `home_currency`; those without that ending are deprecated.'
export const refused = `More than ${mostRows} rows are refused with 413: ask for fewer.`

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

/** The text of a report that has no more rows than are answered at once. */
export function requireFew(json: string): string {
  if (json.length > mostRows && (JSON.parse(json) as { rows: unknown[] }).rows.length > mostRows)
    throw tooManyToReport(mostRows)
  return json
}

export function columnsOf(Report: TObject): string[] {
  const { items } = Report.properties.rows as unknown as { items: TObject }
  return Object.keys(items.properties).filter((name) => name !== 'party_id')
}

export function inBothForms(Report: TObject): Record<number, unknown> {
  const csv = Type.String({
    description: 'The rows; RFC 4180, UTF-8, with a header.',
    examples: [`${[...columnsOf(Report), ...decimalColumns(columnsOf(Report)).map(({ name }) => name)].join(',')}\r\n`],
  })
  return answers({
    200: {
      description: 'The report.',
      content: { 'application/json': { schema: Report }, 'text/csv': { schema: csv } },
    } as never,
  })
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

function decimalOf(row: Record<string, Value>, of: string, units: MinorUnits): CellValue {
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
