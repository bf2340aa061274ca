import type { Columns, ColumnType } from '../../core/csv-table.ts'
import type { Detail } from '../../core/refusal.ts'
import { addressFields } from '../schemas.ts'
import type { BillItem } from './line-model.ts'
import type { Bill } from './model.ts'
import type { BillRow } from './upsert-model.ts'

type Value = string | number | boolean | null
type Column = { name: string; type: ColumnType | null; write(bill: Bill, lines: string): Value }

const own = (type: ColumnType | null, ...names: (keyof Bill & string)[]): Column[] =>
  names.map((name) => ({ name, type, write: (bill) => bill[name] as Value }))

const address = (party: 'bill_to' | 'remit_to'): Column[] =>
  addressFields.map((field) => ({ name: `${party}_${field}`, type: 'text', write: (bill) => bill[party]?.[field] ?? null }))

/** The columns of an export, in order. One without a type is read by nobody: it is not the file's to set. */
export const columns: readonly Column[] = [
  ...own('text', 'id', 'external_id'),
  ...own(null, 'number'),
  ...own(
    'text',
    'status_id',
    'currency_id',
    'pay_term_id',
    'bill_date',
    'due_date',
    'sent_at',
    'paid_at',
    'reference_number',
    'partner_carrier_id',
    'master_trip_id',
  ),
  ...own('integer', 'sub_total_amount'),
  ...own('boolean', 'is_tax_on'),
  ...own('integer', 'tax_amount'),
  ...own(null, 'total_amount'),
  ...address('bill_to'),
  ...address('remit_to'),
  ...own('text', 'send_to_email', 'cc_to_email', 'notes', 'qb_external_id', 'qb_error_msg', 'qb_exported_at'),
  { name: 'bill_items', type: 'json', write: (_bill, lines) => linesCell(lines) },
  ...own(null, 'consolidated_bill_id', 'full_id', 'org_id', 'created_by', 'created_at', 'updated_at', 'revision'),
]

/** What an import reads: the same columns, and one that says why a bill is reopened. */
export const imported: Columns = {
  read: { ...Object.fromEntries(columns.flatMap(({ name, type }) => (type ? [[name, type] as const] : []))), reason: 'text' },
  ignored: columns.filter(({ type }) => type === null).map(({ name }) => name),
}

const lineFields = ['id', 'bill_item_type_id', 'manifest_id', 'manifest_payment_item_id', 'unit_price', 'quantity', 'description'] as const

function linesCell(lines: string): string {
  const items: BillItem[] = JSON.parse(`[${lines}]`)
  return JSON.stringify(items.map((item) => Object.fromEntries(lineFields.filter((field) => item[field] !== null).map((field) => [field, item[field]]))))
}

const parties = ['bill_to', 'remit_to'] as const

/** A row of the table as the row of a bulk request. An empty cell is null, which clears; where null says nothing, the field is not sent. */
export function rowOf(values: Readonly<Record<string, unknown>>): BillRow {
  const row: Record<string, unknown> = { ...values }
  for (const party of parties) {
    const sent = addressFields.filter((field) => Object.hasOwn(row, `${party}_${field}`))
    if (sent.length > 0) row[party] = Object.fromEntries(sent.map((field) => [field, row[`${party}_${field}`]]))
    for (const field of sent) delete row[`${party}_${field}`]
  }
  for (const name of ['id', 'status_id', 'reason', 'bill_items']) if (row[name] === null) delete row[name]
  return row
}

/** What is wrong with a row, said of its columns. */
export function asColumns(details: readonly Detail[]): Detail[] {
  const named = (text: string) => text.replace(/^(bill_to|remit_to)\.(?=\w)/, '$1_')
  return details.map((detail) => ({
    ...detail,
    field: named(detail.field),
    message: detail.message.replace(/"(?:bill_to|remit_to)\.\w+"/g, (name) => `"${named(name.slice(1, -1))}"`),
  }))
}
