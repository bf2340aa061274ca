import type { Readable } from 'node:stream'
import type { Context } from '../../../platform/context.ts'
import { csvLine } from '../../../platform/core/tables/csv.ts'
import type { MinorUnits } from '../../../platform/core/tables/decimals.ts'
import { minorUnits } from '../../currencies/known.ts'
import type { Kind } from '../model/kind/kind.ts'
import type { Search } from '../search/search-sql.ts'
import { columnsOf, writeCells } from './columns.ts'
import { type ExportRow, streamDocuments } from './export-store.ts'

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** Every document that matches, in order, one line each, from one snapshot. */
export async function exportDocuments(ctx: Context, kind: Kind, search: Search, format: Format): Promise<Readable> {
  const units = await minorUnits(ctx)
  return streamDocuments(ctx, kind, search, (rows) => textOf(kind, format, rows, units), headOf(kind, format))
}

/** What the file begins with. */
export function headOf(kind: Kind, format: Format): string {
  return format === 'csv' ? csvLine(columnsOf(kind).map(({ name }) => name)) : ''
}

export function textOf(kind: Kind, format: Format, rows: readonly ExportRow[], units: MinorUnits): string {
  return rows.map((row) => (format === 'csv' ? csvOf(kind, row, units) : jsonOf(kind, row))).join('')
}

function jsonOf(kind: Kind, { json, lines }: ExportRow): string {
  return `${json.slice(0, -1)},"${kind.lines.plural}":[${lines}]}\n`
}

function csvOf(kind: Kind, { json, lines }: ExportRow, units: MinorUnits): string {
  return csvLine(writeCells(kind, JSON.parse(json), lines, units))
}
