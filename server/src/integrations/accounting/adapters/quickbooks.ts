import type { RemoteList } from '../catalogue.ts'
import {
  type Adapter,
  type Client,
  decimal,
  handTaxLine,
  type OutgoingDocument,
  type OutgoingLine,
  RemoteFault,
  type RemoteRecord,
} from './adapter.ts'
import { call, escapeText, type Json, knownIn, longestNumber, queryAll } from './quickbooks-api.ts'
import { quickbooksPayments } from './quickbooks-payments.ts'

/** The longest that PrivateNote may be. */
const longestNote = 4000

const entities = { bill: 'Bill', invoice: 'Invoice' } as const

/** QuickBooks Online, Accounting API v3. Documents name our record in PrivateNote, by which one is found again whose answer was lost. */
export const quickbooks: Adapter = {
  id: 'quickbooks_online',
  perMinute: 450,
  scope: 'com.intuit.quickbooks.accounting',
  addresses: (base) => ({
    api: base ?? 'https://quickbooks.api.intuit.com',
    authorize: base ? `${base}/connect/oauth2` : 'https://appcenter.intuit.com/connect/oauth2',
    token: base ? `${base}/oauth2/v1/tokens/bearer` : 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
  }),

  async identify(client, { realm_id }) {
    if (!realm_id || !/^\d{1,30}$/.test(realm_id))
      throw new RemoteFault('refused', 'QuickBooks did not say which company it is: "realm_id" is missing.')
    const { CompanyInfo } = (await call({ ...client, remoteId: realm_id }, `companyinfo/${realm_id}`)) as {
      CompanyInfo?: { CompanyName?: string }
    }
    return { remote_id: realm_id, remote_name: CompanyInfo?.CompanyName ?? realm_id }
  },

  async list(client, list) {
    const { entity, where = '', entryOf } = lists[list]
    return (await queryAll(client, entity, where)).map(entryOf)
  },

  async find(client, document) {
    const entity = entities[document.type]
    const found = await queryAll(client, entity, `where DocNumber = '${escapeText(numberOf(document))}'`)
    const own = found.find(({ PrivateNote }) => String(PrivateNote ?? '').includes(markOf(document)))
    return own ? knownIn(own) : null
  },

  async read(client, type, remoteId) {
    try {
      const answer = (await call(client, `${type}/${remoteId}`)) as Json
      return knownIn(answer[entities[type]] as Json)
    } catch (error) {
      if (error instanceof RemoteFault && error.kind === 'gone') return null
      throw error
    }
  },

  async create(client, document, requestId) {
    return write(client, document, requestId, bodyOf(client, document))
  },

  async update(client, document, { remote_id, version: token }, requestId) {
    return write(client, document, requestId, {
      ...bodyOf(client, document),
      Id: remote_id,
      SyncToken: token ?? '0',
      sparse: false,
    })
  },

  async remove(client, type, { remote_id, version: token }, requestId) {
    // Bills cannot be voided there, only deleted. A voided invoice keeps its number.
    const operation = type === 'bill' ? 'delete' : 'void'
    await call(client, `${type}?operation=${operation}&requestid=${requestId}`, {
      Id: remote_id,
      SyncToken: token ?? '0',
    })
  },

  payments: quickbooksPayments,
}

type ListOf = {
  entity: string
  where?: string
  entryOf(entry: Json): { id: string; name: string; detail: string | null; is_active: boolean }
}

const entry = (name: string, detail?: string) => (one: Json) => ({
  id: String(one.Id),
  name: String(one[name] ?? one.Id),
  detail: detail && one[detail] ? String(one[detail]) : null,
  is_active: one.Active !== false,
})

const lists: Record<RemoteList, ListOf> = {
  vendors: { entity: 'Vendor', entryOf: entry('DisplayName', 'CompanyName') },
  customers: { entity: 'Customer', entryOf: entry('DisplayName', 'CompanyName') },
  accounts: { entity: 'Account', entryOf: entry('FullyQualifiedName', 'AccountType') },
  // A payment comes from a bank account, or goes to one or to undeposited funds.
  bank_accounts: {
    entity: 'Account',
    where: "where AccountType in ('Bank', 'Other Current Asset')",
    entryOf: entry('FullyQualifiedName', 'AccountType'),
  },
  items: { entity: 'Item', entryOf: entry('FullyQualifiedName', 'Type') },
  terms: { entity: 'Term', entryOf: entry('Name', 'DueDays') },
  tax_codes: { entity: 'TaxCode', entryOf: entry('Name', 'Description') },
}

function bodyOf({ settings }: Client, document: OutgoingDocument): Json {
  const { type, date, due_date, currency, party, pay_term, notes, decimals, hand_tax } = document
  const isTaxed = document.lines.some(({ tax_code }) => tax_code !== null)
  // A tax by hand is a cost on a bill; an invoice has a place for it.
  const lines =
    type === 'bill' && hand_tax !== 0
      ? [...document.lines, handTaxLine(hand_tax, settings.tax_account ?? null)]
      : document.lines
  const totalTax = type === 'invoice' && hand_tax !== 0 ? hand_tax : isTaxed ? sumOf(lines.map(({ tax }) => tax)) : null
  const head = {
    DocNumber: numberOf(document),
    TxnDate: date,
    ...(due_date && { DueDate: due_date }),
    CurrencyRef: { value: currency },
    ...(pay_term && { SalesTermRef: { value: pay_term } }),
    PrivateNote: noteOf(document, notes),
    ...(isTaxed && { GlobalTaxCalculation: 'TaxExcluded' }),
    ...(totalTax !== null && { TxnTaxDetail: { TotalTax: decimal(totalTax, decimals) } }),
    Line: lines.map((line) => (type === 'bill' ? expenseLine(line, decimals) : salesLine(line, decimals))),
  }
  return type === 'bill'
    ? { VendorRef: { value: party.remote_id }, ...head }
    : { CustomerRef: { value: party.remote_id }, ...head }
}

function expenseLine({ description, amount, account, tax_code }: OutgoingLine, decimals: number): Json {
  return {
    Amount: decimal(amount, decimals),
    ...(description && { Description: description }),
    DetailType: 'AccountBasedExpenseLineDetail',
    AccountBasedExpenseLineDetail: {
      AccountRef: { value: account },
      ...(tax_code && { TaxCodeRef: { value: tax_code } }),
    },
  }
}

function salesLine(
  { description, amount, quantity, unit_price, account, tax_code }: OutgoingLine,
  decimals: number,
): Json {
  return {
    Amount: decimal(amount, decimals),
    ...(description && { Description: description }),
    DetailType: 'SalesItemLineDetail',
    SalesItemLineDetail: {
      ItemRef: { value: account },
      Qty: quantity,
      UnitPrice: decimal(unit_price, decimals),
      ...(tax_code && { TaxCodeRef: { value: tax_code } }),
    },
  }
}

/** Bills carry the number of the carrier, by which people look for them there. */
function numberOf({ type, number, reference_number }: OutgoingDocument): string {
  return ((type === 'bill' && reference_number) || number).slice(0, longestNumber)
}

function markOf({ type, id }: Pick<OutgoingDocument, 'type' | 'id'>): string {
  return `lading:${type}:${id}`
}

function noteOf(document: OutgoingDocument, notes: string | null): string {
  const mark = `${document.number} ${markOf(document)}`
  return notes ? `${notes.slice(0, longestNote - mark.length - 1)}\n${mark}` : mark
}

async function write(client: Client, { type }: OutgoingDocument, requestId: string, body: Json): Promise<RemoteRecord> {
  const answer = (await call(client, `${type}?requestid=${requestId}`, body)) as Json
  return knownIn(answer[entities[type]] as Json)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
