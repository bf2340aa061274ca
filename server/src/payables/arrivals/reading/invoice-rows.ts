import Type, { type Static } from 'typebox'
import { readDecimals } from '../../../books/documents/exchange/decimal-columns.ts'
import { Amount } from '../../../books/documents/model/fields/amount.ts'
import { invalid } from '../../../platform/core/refusal.ts'
import { Day, nullable, Text } from '../../../platform/core/schema/schema.ts'
import { reasons } from '../../../platform/core/tables/csv-failures.ts'
import type { Columns } from '../../../platform/core/tables/csv-table.ts'
import type { MinorUnits } from '../../../platform/core/tables/decimals.ts'
import { type InvoiceLine, units } from '../../carrier-invoices/received/model.ts'

const decimal = Type.String({ maxLength: 30, description: 'A decimal number in the currency of the invoice.' })

/** A row is a line of an invoice. What is about the invoice stands in its first row, and may be repeated. */
export const InvoiceRow = Type.Object({
  partner_carrier: Type.Optional(nullable(Text('The carrier: its id, external id, SCAC or name.', 'Cascade Carriers'))),
  invoice_number: Text('The number that the carrier gave it.', 'INV-20417'),
  invoice_date: Type.Optional(nullable(Day('Its date.'))),
  currency_id: Type.Optional(nullable(Type.String({ minLength: 3, maxLength: 3 }))),
  currency: Type.Optional(nullable(Type.String({ minLength: 3, maxLength: 3 }))),
  reference_number: Type.Optional(nullable(Text('The number of the load.', 'TRIP-5521'))),
  total_amount: Type.Optional(nullable(Amount('What it comes to.', 108000))),
  total_amount_decimal: Type.Optional(nullable(decimal)),
  notes: Type.Optional(nullable(Text('Notes.', 'Came with the POD.', { maxLength: 10_000 }))),
  line_type: Type.Optional(nullable(Text('The name of a bill item type.', 'Line haul'))),
  line_description: Type.Optional(
    nullable(Text('What the carrier calls it.', 'Portland to Boise', { maxLength: 1000 })),
  ),
  line_quantity: Type.Optional(
    nullable(Type.String({ pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,6})?$', description: 'A decimal number.' })),
  ),
  line_unit: Type.Optional(nullable(Type.Enum(units))),
  line_unit_price: Type.Optional(nullable(Amount('The price of one.', 250))),
  line_unit_price_decimal: Type.Optional(nullable(decimal)),
  line_amount: Type.Optional(nullable(Amount('What the line comes to.', 108000))),
  line_amount_decimal: Type.Optional(nullable(decimal)),
})
export type InvoiceRow = Static<typeof InvoiceRow>

export const importedColumns: Columns = {
  read: {
    ...{
      partner_carrier: 'text',
      invoice_number: 'text',
      invoice_date: 'text',
      currency_id: 'text',
      currency: 'text',
      reference_number: 'text',
      total_amount: 'integer',
      total_amount_decimal: 'text',
    },
    ...{
      notes: 'text',
      line_type: 'text',
      line_description: 'text',
      line_quantity: 'text',
      line_unit: 'text',
      line_unit_price: 'integer',
      line_unit_price_decimal: 'text',
      line_amount: 'integer',
      line_amount_decimal: 'text',
    },
  },
  ignored: reasons,
}

export const exampleFile =
  'partner_carrier,invoice_number,invoice_date,currency,reference_number,total_amount_decimal,line_type,line_amount_decimal\n' +
  ',INV-20417,2026-11-15,USD,TRIP-5521,1280.00,Line haul,1000.00\n' +
  ',INV-20417,,,,,Fuel,280.00\n'

const decimals = [
  { name: 'currency', of: 'currency_id' },
  { name: 'total_amount_decimal', of: 'total_amount' },
  { name: 'line_unit_price_decimal', of: 'line_unit_price' },
  { name: 'line_amount_decimal', of: 'line_amount' },
]

/** The row with its decimal columns read, in the currency of the invoice where it names none itself. An empty cell says nothing here. */
export function inMinorUnits(row: InvoiceRow, currency: string, units: MinorUnits): InvoiceRow {
  const said = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
  return readDecimals(decimals, said, units, currency) as InvoiceRow
}

/** The line that a row is; none where it says nothing of one. */
export function lineOf(row: InvoiceRow): InvoiceLine[] {
  const {
    line_type: type,
    line_description: description,
    line_quantity: quantity,
    line_unit: unit,
    line_unit_price: unit_price,
    line_amount: amount,
  } = row
  if (typeof amount !== 'number') {
    const said = [type, description, quantity, unit, unit_price].some((value) => value !== null && value !== undefined)
    if (said)
      throw invalid(
        'line_amount',
        'required',
        'A row with something in a column line_… needs the amount of the line in "line_amount_decimal" or "line_amount".',
      )
    return []
  }
  return [
    {
      ...(type && { type }),
      ...(description && { description }),
      ...(quantity && { quantity: Number(quantity) }),
      ...(unit && { unit }),
      ...(typeof unit_price === 'number' && { unit_price }),
      amount,
    },
  ]
}
