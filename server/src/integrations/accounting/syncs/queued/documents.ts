import { createHash } from 'node:crypto'
import type { OutgoingDocument, OutgoingLine } from '../../adapters/adapter.ts'
import type { Connector, ConnectorSettings, MappingKind } from '../../catalogue.ts'
import type { RawDocument, RawLine } from './documents-store.ts'

/** Something that a document lacks to be sent. */
export type Gap = {
  kind: MappingKind | 'settings' | 'documents'
  record_id: string | null
  name: string
  needed: boolean
  message: string
}

/** A document as it goes out, and what is missing for that. */
export function outgoingOf(
  connector: Connector,
  settings: ConnectorSettings,
  raw: RawDocument,
  decimals: ReadonlyMap<string, number>,
): { document: OutgoingDocument; gaps: Gap[] } {
  const lines = linesOf(raw)
  const fallback = raw.type === 'bill' ? settings.expense_account : settings.income_account
  const lineTax = lines.reduce((sum, { tax }) => sum + tax, 0)
  // Tax that lines carry and that is off does not count.
  const isByLine = lines.some(({ tax_rate }) => tax_rate !== null) && lineTax === raw.tax
  const document: OutgoingDocument = {
    ...{
      type: raw.type,
      id: raw.id,
      number: raw.number ?? raw.id,
      reference_number: raw.reference_number,
      date: raw.date ?? '',
      due_date: raw.due_date,
    },
    ...{
      currency: (raw.currency_id ?? '').toUpperCase(),
      decimals: decimals.get(raw.currency_id ?? '') ?? 2,
      notes: raw.notes,
    },
    party: { name: raw.party?.name ?? '', remote_id: raw.party?.remote_id ?? null },
    pay_term: raw.pay_term?.remote_id ?? null,
    lines: lines.map(
      ({ type, tax_rate, tax_code, tax, account, ...line }): OutgoingLine => ({
        ...line,
        type: type?.name ?? null,
        account: account ?? fallback ?? null,
        ...(isByLine && tax_rate ? { tax_code, tax } : { tax_code: null, tax: 0 }),
      }),
    ),
    hand_tax: isByLine ? 0 : raw.tax,
    total: raw.total,
  }
  return { document, gaps: gapsOf(connector, settings, raw, document, lines, isByLine) }
}

/** The fingerprint of what was sent, by which a document that has not changed is known. */
export function hashOf(document: OutgoingDocument): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('base64url')
}

/** A document whose amounts were entered without lines has one of what they come to. */
function linesOf({ lines, sub_total, number }: RawDocument): RawLine[] {
  if (lines.length > 0) return lines
  const none = { type: null, account: null, tax_rate: null, tax_code: null, tax: 0 }
  return [{ ...none, description: number, quantity: 1, unit_price: sub_total, amount: sub_total }]
}

function gapsOf(
  connector: Connector,
  settings: ConnectorSettings,
  raw: RawDocument,
  document: OutgoingDocument,
  lines: readonly RawLine[],
  isByLine: boolean,
): Gap[] {
  const needed = new Map(connector.mappings.map((mapping) => [mapping.kind, mapping.needed]))
  const gap = (kind: MappingKind, of: { id: string; name: string | null }, message: string): Gap[] =>
    needed.has(kind)
      ? [{ kind, record_id: of.id, name: of.name ?? of.id, needed: needed.get(kind) ?? false, message }]
      : []
  const own = (message: string): Gap => ({
    kind: 'documents',
    record_id: raw.id,
    name: document.number,
    needed: true,
    message,
  })
  const unset = (name: string, message: string): Gap => ({
    kind: 'settings',
    record_id: null,
    name,
    needed: true,
    message,
  })
  const isBill = raw.type === 'bill'
  const partyName = isBill ? 'carrier' : 'customer'
  const itemKind = isBill ? 'bill_items' : 'invoice_items'
  const accountSetting = isBill ? 'expense_account' : 'income_account'
  const hasAccounts = needed.get(itemKind) === true
  const { party, pay_term } = raw
  return [
    ...(raw.date === null || raw.currency_id === null ? [own(`${document.number} has no date or no currency.`)] : []),
    ...(party === null ? [own(`${document.number} names no ${partyName}.`)] : []),
    ...(party && party.remote_id === null
      ? gap(
          isBill ? 'partner_carriers' : 'customers',
          party,
          `Map the ${partyName} ${party.name ?? party.id} to a ${isBill ? 'vendor' : 'customer'}.`,
        )
      : []),
    ...(pay_term && pay_term.remote_id === null
      ? gap('pay_terms', pay_term, `Map the pay term ${pay_term.name}, or let the due date speak for itself.`)
      : []),
    ...lines.flatMap(({ type, account }) => {
      if (account !== null || settings[accountSetting] !== undefined || !hasAccounts) return []
      return type
        ? gap(itemKind, type, `Map the type ${type.name}, or set "${accountSetting}".`)
        : [unset(accountSetting, `Set "${accountSetting}": lines without a type need it.`)]
    }),
    ...(isByLine
      ? lines.flatMap(({ tax_rate, tax_code }) =>
          tax_rate && tax_code === null ? gap('tax_rates', tax_rate, `Map the tax rate ${tax_rate.name}.`) : [],
        )
      : []),
    ...(document.hand_tax !== 0 && needsTaxAccount(connector, isBill) && !settings.tax_account
      ? [unset('tax_account', 'Set "tax_account": taxes that were entered by hand need it.')]
      : []),
  ]
}

/** QuickBooks has a place for the tax of an invoice; files have an account that they fall back on. */
function needsTaxAccount({ id, transport }: Connector, isBill: boolean): boolean {
  return transport === 'online' && (isBill || id !== 'quickbooks_online')
}
