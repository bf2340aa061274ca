import { invalid, quote } from '../../../platform/core/refusal.ts'
import type { CellValue } from '../../../platform/core/tables/csv.ts'
import type { ColumnType } from '../../../platform/core/tables/csv-table.ts'
import { currencyCell, decimalCell, type MinorUnits, readDecimal } from '../../../platform/core/tables/decimals.ts'
import type { Fields } from '../model/fields/fields.ts'

/** A column that says again, for people and spreadsheets, what `of` says in the minor unit or in small letters. */
type DecimalColumn = {
  name: string
  of: string
  type: ColumnType | null
  write(document: Record<string, unknown>, units: MinorUnits): CellValue
}

const isMoney = (name: string) => /(?:^|_)amount(?:_|$)/.test(name)
const currencyOf = (name: string) => (name.startsWith('home_') ? 'home_currency_id' : 'currency_id')

/** The code of the currency in capitals, and every amount with its decimals. An import reads those whose field it reads. */
export function decimalColumns(fields: Fields): DecimalColumn[] {
  const isRead = (name: string) => !['written', 'none'].includes(fields[name]?.csv ?? 'none')
  const currencies = ['currency_id', 'home_currency_id'].map((of) => {
    const type = isRead(of) ? ('text' as const) : null
    return {
      name: of.replace('_id', ''),
      of,
      type,
      write: (document: Record<string, unknown>) => currencyCell(document[of]),
    }
  })
  const amounts = Object.keys(fields)
    .filter((of) => isMoney(of) && fields[of]?.csv !== 'none')
    .map((of) => {
      const type = isRead(of) ? ('text' as const) : null
      const write: DecimalColumn['write'] = (document, units) =>
        decimalCell(document[of], document[currencyOf(of)], units)
      return { name: `${of}_decimal`, of, type, write }
    })
  return [...currencies, ...amounts]
}

/** The row with the decimal columns of a kind of document read into the fields that they are of. */
export function withoutDecimals(
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
  units: MinorUnits,
): Record<string, unknown> {
  return readDecimals(
    decimalColumns(fields).filter(({ type }) => type !== null),
    values,
    units,
  )
}

/**
 * The row with these columns read into those that they are of, the currency first. A row that says two different things is refused: nobody knows which is
 * meant. `currency` is that of a row that names none.
 */
export function readDecimals(
  columns: readonly { name: string; of: string }[],
  values: Readonly<Record<string, unknown>>,
  units: MinorUnits,
  currency?: string,
): Record<string, unknown> {
  let row = { ...values }
  for (const { name, of } of columns) {
    const { [name]: cell, ...others } = row
    if (cell === undefined) continue
    row = others
    // Empty also where a document has no currency yet; then the other column has the amount.
    if (cell === null && Object.hasOwn(row, of)) continue
    const said =
      cell === null
        ? null
        : of === 'currency_id'
          ? String(cell).trim().toLowerCase()
          : amountIn(name, String(cell), row.currency_id ?? currency, units)
    if (Object.hasOwn(row, of) && !isSame(row[of], said)) throw disagree([name, cell], [of, row[of]])
    row[of] = said
  }
  return row
}

function amountIn(name: string, cell: string, code: unknown, units: MinorUnits): number {
  const currency = typeof code === 'string' ? code.toLowerCase() : ''
  const decimals = units.get(currency)
  if (decimals === undefined)
    throw invalid(
      'currency',
      'required',
      `"${name}" is in the currency of the row: have a column "currency", such as USD.`,
    )
  const amount = readDecimal(cell, decimals)
  if (amount !== undefined) return amount
  const example = decimals === 0 ? '1705' : `1705.${'58'.padEnd(decimals, '0').slice(0, decimals)}`
  throw invalid(
    name,
    'bad_amount',
    `"${name}" must be an amount of ${currency.toUpperCase()} such as ${example}, not ${quote(cell)}.`,
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return (typeof one === 'string' ? one.trim().toLowerCase() : one) === other
}

function disagree([name, cell]: [string, unknown], [of, other]: [string, unknown]) {
  const message = `"${name}" says ${quote(cell)} and "${of}" ${quote(other)}: they are two forms of one value. Change both, or leave one of the columns out.`
  return invalid(name, 'columns_disagree', message)
}
