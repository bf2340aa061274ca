import { addressFields } from '../../../app/values/address:ts.ts'
import { type DocumentKind, wordOf } from '../kind.ts'
import { type Party, parties } from '../party.ts'

/** How the cells of a column become what the API takes. A name is looked up; an amount is read in the currency of its row. */
export type NameReading = 'carrier name' | 'customer name' | 'pay term name'
type Reading = 'text' | 'amount' | 'currency' | 'date' | 'yes or no' | NameReading

/** Where a column of a file can go: `column` is the API's name for it. */
export type Target = { key: string; label: string; column: string; reading: Reading; alsoCalled?: readonly string[] }

const text = (column: string, label: string, ...alsoCalled: string[]): Target => ({
  key: column,
  label,
  column,
  reading: 'text',
  alsoCalled,
})

const date = (column: string, label: string, ...alsoCalled: string[]): Target => ({
  ...text(column, label, ...alsoCalled),
  reading: 'date',
})

const partWords: Record<(typeof addressFields)[number], string> = {
  company_name: 'company',
  contact_name: 'contact',
  address_1: 'street and number',
  address_2: 'suite, dock or floor',
  city: 'city',
  state: 'state or province',
  postal: 'postal code',
  country: 'country',
}

const addressTargets = (name: string, label: string, ...companyAlsoCalled: string[]) =>
  addressFields.map((part) =>
    text(`${name}_${part}`, `${label}: ${partWords[part]}`, ...(part === 'company_name' ? companyAlsoCalled : [])),
  )

const calledLike: Record<Party, string[]> = {
  carrier: ['carrier', 'carrier name', 'vendor'],
  customer: ['customer', 'customer name', 'client'],
}

/** In the order in which they are offered. */
export function targetsOf(kind: DocumentKind): readonly Target[] {
  const { party, key, resource, dateField } = kind
  const { field, label } = parties[party]
  const word = wordOf(kind)
  const byName: Target = {
    key: party,
    label: `${label}, by name`,
    column: field,
    reading: `${party} name`,
    alsoCalled: calledLike[party],
  }
  return [
    text('reference_number', 'Reference number', 'reference', 'invoice', 'invoice number', 'invoice no', 'number'),
    text('external_id', 'External id', 'external id', 'id in other system'),
    {
      key: 'currency_id',
      label: 'Currency',
      column: 'currency_id',
      reading: 'currency',
      alsoCalled: ['currency', 'currency code'],
    },
    {
      key: 'sub_total_amount',
      label: 'Amount without tax',
      column: 'sub_total_amount',
      reading: 'amount',
      alsoCalled: ['amount', 'sub total', 'subtotal', 'net', 'total'],
    },
    { key: 'tax_amount', label: 'Tax', column: 'tax_amount', reading: 'amount', alsoCalled: ['tax', 'vat'] },
    { ...text('is_tax_on', 'Tax applies (yes or no)', 'tax applies'), reading: 'yes or no' },
    byName,
    text(field, `${label}, by id`),
    date(dateField, `${word} date`, 'date', 'invoice date'),
    date('due_date', 'Due date', 'due'),
    {
      key: 'pay_term',
      label: 'Pay term, by name',
      column: 'pay_term_id',
      reading: 'pay term name',
      alsoCalled: ['pay term', 'terms'],
    },
    text('pay_term_id', 'Pay term, by id'),
    text('notes', 'Notes', 'memo', 'note'),
    text('send_to_email', 'Send to', 'email', 'e-mail'),
    text('cc_to_email', 'Copy to'),
    ...addressTargets('remit_to', 'Remit to', 'payee', 'remit to'),
    ...addressTargets('bill_to', 'Bill to', 'bill to'),
    text('status_id', 'State (draft, saved, sent or paid)', 'state', 'status'),
    date('sent_at', 'Sent'),
    date('paid_at', 'Paid'),
    text(`${key}_items`, 'Lines, as JSON'),
    ...(resource === 'bills' ? [text('master_trip_id', 'Master trip id')] : []),
    text('id', `${word} id`),
    text('qb_external_id', 'Id in the accounting package'),
  ]
}

/** What a file most likely means by the names of its columns; each target at most once. */
export function guessTargets(header: readonly string[], targets: readonly Target[]): (string | null)[] {
  const taken = new Set<string>()
  return header.map((name) => {
    const wanted = plain(name)
    const target = targets.find(
      (one) =>
        !taken.has(one.column) &&
        [one.column, one.label, ...(one.alsoCalled ?? [])].some((known) => plain(known) === wanted),
    )
    if (target) taken.add(target.column)
    return target?.key ?? null
  })
}

/** An export of ours has whole numbers of the minor unit. */
export function isExport(header: readonly string[]): boolean {
  return ['full_id', 'org_id', 'revision'].every((name) => header.includes(name))
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
