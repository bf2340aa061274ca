import type { Detail } from '../../../platform/core/refusal.ts'
import type { CellValue } from '../../../platform/core/tables/csv.ts'
import type { Columns, ColumnType } from '../../../platform/core/tables/csv-table.ts'
import type { MinorUnits } from '../../../platform/core/tables/decimals.ts'
import { type Address, addressFields } from '../model/fields/address.ts'
import { exampleOfCreation } from '../model/fields/creation.ts'
import type { Field } from '../model/fields/fields.ts'
import type { Line } from '../model/fields/line-fields.ts'
import type { Document } from '../model/fields/standard-fields.ts'
import { type Kind, onceFor } from '../model/kind/kind.ts'
import type { Row } from '../model/plan.ts'
import { decimalColumns, withoutDecimals } from './decimal-columns.ts'

type Value = string | number | boolean | null
/** One without a type is ignored by an import. */
type Column = {
  name: string
  type: ColumnType | null
  write(document: Record<string, unknown>, lines: string, units: MinorUnits): CellValue
}

/** The columns of an export, in order. */
export const columnsOf = onceFor((kind): readonly Column[] => {
  const { fields, lines, columnOrder } = kind
  const own = Object.entries(fields).map(([name, field]): [string, Column[]] => [name, columnsOfField(name, field)])
  const all = new Map<string, Column[]>([...own, [lines.plural, [linesColumn(kind)]]])
  const names = new Set([...columnOrder, ...all.keys()])
  // At the end, so that whoever goes by the place of a column finds what was there before.
  const decimals = decimalColumns(fields).map(
    ({ name, type, write }): Column => ({ name, type, write: (document, _, units) => write(document, units) }),
  )
  return [...[...names].flatMap((name) => all.get(name) ?? []), ...decimals]
})

function columnsOfField(name: string, { csv }: Field): Column[] {
  if (csv === 'none') return []
  if (csv === 'address')
    return addressFields.map((part) => ({
      name: `${name}_${part}`,
      type: 'text',
      write: (document) => (document[name] as Address | null)?.[part] ?? null,
    }))
  return [{ name, type: csv === 'written' ? null : csv, write: (document) => document[name] as Value }]
}

/** The lines as JSON in one cell: what clients set of them, and their ids. */
function linesColumn({ lines }: Kind): Column {
  const written = ['id', ...Object.keys(lines.fields)]
  const cellOf = (line: Record<string, unknown>) =>
    Object.fromEntries(written.filter((name) => line[name] !== null).map((name) => [name, line[name]]))
  return {
    name: lines.plural,
    type: 'json',
    write: (_, json) => JSON.stringify((JSON.parse(`[${json}]`) as Line[]).map(cellOf)),
  }
}

export function writeCells(kind: Kind, document: Document, lines: string, units: MinorUnits): CellValue[] {
  return columnsOf(kind).map(({ write }) => write(document, lines, units))
}

/** What an import reads: the same columns, and one that says why a document is reopened. */
export const importedColumns = onceFor((kind): Columns => {
  const columns = columnsOf(kind)
  return {
    read: {
      ...Object.fromEntries(columns.flatMap(({ name, type }) => (type ? [[name, type] as const] : []))),
      reason: 'text',
    },
    ignored: columns.filter(({ type }) => type === null).map(({ name }) => name),
  }
})

/** A short file that can be imported. */
export function exampleFile(kind: Kind): string {
  const cells = {
    external_id: 'TMS-88213',
    ...exampleOfCreation(kind),
    currency: 'USD',
    sub_total_amount_decimal: '1850.00',
  }
  return `${Object.keys(cells).join(',')}\n${Object.values(cells).join(',')}\n`
}

const addressesOf = onceFor(({ fields }) => Object.keys(fields).filter((name) => fields[name]?.csv === 'address'))

/** A row of the table as the row of a bulk request. An empty cell is null, which clears; fields that cannot be cleared are not sent. */
export function rowOf(kind: Kind, values: Readonly<Record<string, unknown>>, units: MinorUnits): Row {
  const row = withoutDecimals(kind.fields, values, units)
  for (const address of addressesOf(kind)) {
    const sent = addressFields.filter((part) => Object.hasOwn(row, `${address}_${part}`))
    if (sent.length > 0) row[address] = Object.fromEntries(sent.map((part) => [part, row[`${address}_${part}`]]))
    for (const part of sent) delete row[`${address}_${part}`]
  }
  for (const name of ['id', 'status_id', 'reason', kind.lines.plural]) if (row[name] === null) delete row[name]
  return row
}

/** What is wrong with a row, by the names of its columns: `bill_to.city` is the column `bill_to_city`. */
export function renameToColumns(kind: Kind, details: readonly Detail[]): Detail[] {
  const { field, quoted } = addressNames(kind)
  const renamed = (name: string) => name.replace(field, '$1_')
  return details.map((detail) => ({
    ...detail,
    field: renamed(detail.field),
    message: detail.message.replace(quoted, (name) => `"${renamed(name.slice(1, -1))}"`),
  }))
}

const addressNames = onceFor((kind) => {
  const any = addressesOf(kind).join('|') || '(?!)'
  return { field: new RegExp(`^(${any})\\.(?=\\w)`), quoted: new RegExp(`"(?:${any})\\.\\w+"`, 'g') }
})
