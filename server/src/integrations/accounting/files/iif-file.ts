import { decimalText } from '../../../platform/core/tables/decimals.ts'
import type { OutgoingDocument } from '../adapters/adapter.ts'
import type { ConnectorSettings } from '../catalogue.ts'
import { type FileFormat, postingsOf } from './file.ts'

const head = ['TRNSTYPE', 'DATE', 'ACCNT', 'NAME', 'AMOUNT', 'DOCNUM', 'MEMO']

/**
 * Intuit Interchange Format of QuickBooks Desktop. A document that an earlier file had is taken back first by its opposite, a bill credit or a credit memo:
 * such a file can add transactions, and change none.
 */
export const iifFile: FileFormat = {
  ending: 'iif',
  mediaType: 'text/plain',
  head: () => row(['!TRNS', ...head, 'DUEDATE']) + row(['!SPL', ...head]) + row(['!ENDTRNS']),
  linesOf({ before, document }, settings) {
    return (before ? transaction(before, settings, -1) : '') + (document ? transaction(document, settings, 1) : '')
  },
}

const names = { bill: { 1: 'BILL', '-1': 'BILL REFUND' }, invoice: { 1: 'INVOICE', '-1': 'CREDIT MEMO' } } as const

function transaction(document: OutgoingDocument, settings: ConnectorSettings, sign: 1 | -1): string {
  const { type, number, reference_number, due_date, party, decimals } = document
  const docNumber = (type === 'bill' && reference_number) || number
  const name = names[type][sign]
  const cellsOf = (account: string, amount: number, memo: string | null) => [
    ...[
      name,
      american(document.date),
      account,
      party.remote_id ?? party.name,
      decimalText(amount, decimals),
      docNumber,
      memo ?? '',
    ],
  ]
  const [owed, ...rest] = postingsOf(document, settings, sign)
  if (!owed) return ''
  return (
    row(['TRNS', ...cellsOf(owed.account, owed.amount, number), due_date ? american(due_date) : '']) +
    rest.map(({ account, amount, memo }) => row(['SPL', ...cellsOf(account, amount, memo)])).join('') +
    row(['ENDTRNS'])
  )
}

function american(day: string): string {
  const [year, month, date] = day.split('-')
  return `${month}/${date}/${year}`
}

/** Tabs and line breaks are what the format is made of; a cell has none. */
function row(cells: readonly string[]): string {
  return `${cells.map((cell) => cell.replace(/[\t\r\n"]+/g, ' ').trim()).join('\t')}\r\n`
}
