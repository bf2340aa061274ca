import { csvLine } from '../../../platform/core/tables/csv.ts'
import { decimalText } from '../../../platform/core/tables/decimals.ts'
import type { OutgoingDocument } from '../adapters/adapter.ts'
import type { ConnectorSettings } from '../catalogue.ts'
import { type FileFormat, postingsOf } from './file.ts'

const columns = ['entry', 'date', 'account', 'name', 'debit', 'credit', 'currency', 'memo', 'type', 'id']

/** Journal entries whose debits and credits are the same. A document that an earlier file had is reversed first. */
export const journalFile: FileFormat = {
  ending: 'csv',
  mediaType: 'text/csv',
  head: () => csvLine(columns),
  linesOf({ before, document }, settings) {
    return (before ? entry(before, settings, -1) : '') + (document ? entry(document, settings, 1) : '')
  },
}

function entry(document: OutgoingDocument, settings: ConnectorSettings, sign: 1 | -1): string {
  const { type, id, number, date, party, currency, decimals } = document
  return postingsOf(document, settings, sign)
    .filter(({ amount }) => amount !== 0)
    .map(({ account, amount, memo }) => {
      const text = decimalText(Math.abs(amount), decimals)
      const name = sign === 1 ? number : `${number} reversed`
      return csvLine([
        name,
        date,
        account,
        party.remote_id ?? party.name,
        amount > 0 ? text : null,
        amount < 0 ? text : null,
        currency,
        memo,
        type,
        id,
      ])
    })
    .join('')
}
