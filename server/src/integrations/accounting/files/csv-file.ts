import { csvLine } from '../../../platform/core/tables/csv.ts'
import { decimalText } from '../../../platform/core/tables/decimals.ts'
import type { OutgoingDocument } from '../adapters/adapter.ts'
import type { FileFormat } from './file.ts'

const columns = [
  ...[
    'action',
    'type',
    'id',
    'number',
    'reference_number',
    'date',
    'due_date',
    'party',
    'party_id',
    'currency',
    'line',
    'item_type',
    'description',
  ],
  ...['quantity', 'unit_price', 'amount', 'account', 'tax_code', 'tax', 'document_tax', 'document_total'],
]

/** A row for each line. `action` says whether the document is new, changed since an earlier file, or does not count any more. */
export const csvFile: FileFormat = {
  ending: 'csv',
  mediaType: 'text/csv',
  head: () => csvLine(columns),
  linesOf({ before, document }) {
    const action = document === null ? 'removed' : before === null ? 'created' : 'changed'
    return rowsOf((document ?? before) as OutgoingDocument, action)
  },
}

function rowsOf(
  {
    type,
    id,
    number,
    reference_number,
    date,
    due_date,
    party,
    currency,
    decimals,
    lines,
    hand_tax,
    total,
  }: OutgoingDocument,
  action: string,
): string {
  const tax = hand_tax + lines.reduce((sum, line) => sum + line.tax, 0)
  const money = (amount: number) => ({ decimal: decimalText(amount, decimals) })
  return lines
    .map((line, index) =>
      csvLine([
        ...[
          action,
          type,
          id,
          number,
          reference_number,
          date,
          due_date,
          party.name,
          party.remote_id,
          currency,
          index + 1,
          line.type,
          line.description,
        ],
        ...[
          line.quantity,
          money(line.unit_price),
          money(line.amount),
          line.account,
          line.tax_code,
          money(line.tax),
          money(tax),
          money(total),
        ],
      ]),
    )
    .join('')
}
