import { type Address, linesOfAddress, payeeOf } from '../../app/values/address:ts.ts'
import { decimalOf } from '../../app/values/money.ts'
import { type AnyFields, type NamedField, shortLabelOf, shownFields } from './field.ts'
import { type Status, statusWords } from './states.ts'

/** What ids in documents mean. */
export type Names = {
  digitsOf: (currency: string) => number
  nameOf: (id: string) => string
  numberOf: (document: Document) => string
}
type Document = {
  id: string
  currency_id: string | null
  voided_at?: string | null
  remit_to?: Address | null
  [field: string]: unknown
}

/** The columns of the list as the cells of a spreadsheet: names for ids, amounts as decimal numbers next to their currency, days as every spreadsheet reads them. */
export function tableForPeople(fields: AnyFields, documents: readonly Document[], names: Names): string[][] {
  const columns = columnsForPeople(fields)
  const hasCurrency = columns.some(({ kind }) => kind === 'currency')
  const rows = documents.map((document) => [
    ...columns.map((field) => cellOf(field, document, names)),
    ...(hasCurrency ? [] : [document.currency_id?.toUpperCase() ?? '']),
  ])
  return [
    [
      ...columns.map((field) => (field.column === 'payee' ? 'Payee' : shortLabelOf(field))),
      ...(hasCurrency ? [] : ['Currency']),
    ],
    ...rows,
  ]
}

export function columnsForPeople(fields: AnyFields): NamedField[] {
  return shownFields(fields).filter(({ column }) => column)
}

function cellOf(
  { name, kind, column, options }: NamedField,
  document: Document,
  { digitsOf, nameOf, numberOf }: Names,
): string {
  if (column === 'payee') return payeeOf({ remit_to: document.remit_to ?? null }) ?? ''
  if (kind === 'number') return numberOf(document)
  const value = document[name]
  if (value === null || value === undefined || value === '') return ''
  const text = String(value)
  switch (kind) {
    case 'money':
      return decimalOf(value as number, digitsOf(document.currency_id ?? ''))
    case 'boolean':
      return value ? 'Yes' : 'No'
    case 'choice':
      return options?.[text] ?? text
    case 'day':
    case 'dueDay':
    case 'period':
      return text.slice(0, 10)
    case 'moment':
      return text.slice(0, 19).replace('T', ' ')
    case 'carrier':
    case 'customer':
    case 'payTerm':
    case 'statement':
      return nameOf(text)
    case 'currency':
      return text.toUpperCase()
    case 'address':
      return linesOfAddress(value as Address).join(', ')
    case 'state':
      return document.voided_at ? 'Voided' : (options?.[text] ?? statusWords[value as Status])
    default:
      return text
  }
}
