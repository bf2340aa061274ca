import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spreadsheetOf } from '../../app/values/spreadsheet.ts'
import { billFields } from '../bills/fields.ts'
import { invoiceFields } from '../invoices/fields.ts'
import { tableForPeople } from './people-export.ts'

const names = {
  digitsOf: (currency: string) => (currency === 'jpy' ? 0 : 2),
  nameOf: (id: string) => `Name of ${id}`,
  numberOf: (document: Record<string, unknown>) => String(document.number ?? 'Draft'),
}

test('an export for people has the columns of the list, with names, decimals, days and words, and nothing that a spreadsheet would calculate', () => {
  const bill = {
    ...{
      id: 'b',
      number: 'BILL-000001',
      reference_number: '=1+1',
      currency_id: 'usd',
      status_id: 'sent',
      total_amount: 185010,
      amount_due: -50,
    },
    ...{
      bill_date: '2026-11-15T00:00:00.000Z',
      due_date: null,
      remit_to: { company_name: 'Cascade; =Carriers' },
      voided_at: null,
    },
  }
  const [header = [], row = []] = tableForPeople(billFields, [bill as never], names)
  const cell = Object.fromEntries(header.map((label, index) => [label, row[index]]))
  assert.deepEqual(
    [cell.Number, cell.Total, cell['Left to pay'], cell.Currency, cell['Bill date']],
    ['BILL-000001', '1850.10', '-0.50', 'USD', '2026-11-15'],
  )
  assert.deepEqual([cell.State, cell.Payee, cell.Due ?? cell['Due date']], ['Sent', 'Cascade; =Carriers', ''])
  assert.ok(!header.some((label) => label.includes('_')), 'no names of the API')
  const text = spreadsheetOf([header, row])
  assert.ok(text.includes("'=1+1") && text.includes('-0.50') && text.includes(`"Cascade; =Carriers"`))

  const invoice = {
    id: 'i',
    number: null,
    currency_id: 'jpy',
    customer_id: 'c',
    status_id: 'draft',
    total_amount: 500,
    voided_at: '2026-11-15T00:00:00Z',
  }
  const [labels = [], cells = []] = tableForPeople(invoiceFields, [invoice as never], names)
  const of = (label: string) => cells[labels.indexOf(label)]
  assert.deepEqual([of('Customer'), of('Total'), of('State'), of('Number')], ['Name of c', '500', 'Voided', 'Draft'])
})
