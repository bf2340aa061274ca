import type { RemoteList } from '../catalogue.ts'
import {
  type Adapter,
  type Client,
  decimal,
  handTaxLine,
  type OutgoingDocument,
  type OutgoingLine,
  type RemoteEntry,
  RemoteFault,
  type RemoteRecord,
} from './adapter.ts'
import { call, type Json, messagesIn, pageSize } from './xero-api.ts'
import { xeroPayments } from './xero-payments.ts'

const types = { bill: 'ACCPAY', invoice: 'ACCREC' } as const
const places = { bill: 'bills', invoice: 'invoices' } as const

/** Xero, Accounting API 2.0. Documents link to our record, by which one is found again whose answer was lost: the keys of Xero are kept for minutes only. */
export const xero: Adapter = {
  id: 'xero',
  perMinute: 55,
  scope: 'openid offline_access accounting.transactions accounting.contacts.read accounting.settings.read',
  addresses: (base) => ({
    api: base ?? 'https://api.xero.com',
    authorize: base ? `${base}/identity/connect/authorize` : 'https://login.xero.com/identity/connect/authorize',
    token: base ? `${base}/connect/token` : 'https://identity.xero.com/connect/token',
  }),

  async identify(client) {
    const tenants = (await client.ask(`${client.addresses.api}/connections`)) as {
      tenantId: string
      tenantName?: string
      tenantType?: string
    }[]
    const [first] = tenants.filter(({ tenantType }) => tenantType === undefined || tenantType === 'ORGANISATION')
    if (!first) throw new RemoteFault('refused', 'No organisation of Xero was chosen. Sign in again, and allow one.')
    return { remote_id: first.tenantId, remote_name: first.tenantName ?? first.tenantId }
  },

  async list(client, list) {
    const reader = lists[list]
    return reader ? reader(client) : []
  },

  async find(client, document) {
    const { Invoices = [] } = await call<{ Invoices?: Json[] }>(
      client,
      `Invoices?InvoiceNumbers=${encodeURIComponent(numberOf(document))}&page=1`,
    )
    const own = Invoices.find(
      ({ Type, Url, Status }) => Type === types[document.type] && Url === urlOf(client, document) && !isOver(Status),
    )
    return own ? knownIn(own) : null
  },

  async read(client, _type, remoteId) {
    const { Invoices = [] } = await call<{ Invoices?: Json[] }>(client, `Invoices/${remoteId}`).catch((error) => {
      if (error instanceof RemoteFault && error.kind === 'gone') return { Invoices: [] }
      throw error
    })
    const [found] = Invoices
    return found && !isOver(found.Status) ? knownIn(found) : null
  },

  async create(client, document, requestId) {
    return write(client, 'Invoices', requestId, bodyOf(client, document))
  },

  async update(client, document, { remote_id }, requestId) {
    return write(client, `Invoices/${remote_id}`, requestId, { ...bodyOf(client, document), InvoiceID: remote_id })
  },

  async remove(client, _type, { remote_id }, requestId) {
    await write(client, `Invoices/${remote_id}`, requestId, { InvoiceID: remote_id, Status: 'VOIDED' })
  },

  payments: xeroPayments,
}

async function contacts(client: Client): Promise<RemoteEntry[]> {
  const found: RemoteEntry[] = []
  for (let page = 1; ; page++) {
    const { Contacts = [] } = await call<{ Contacts?: Json[] }>(
      client,
      `Contacts?page=${page}&pageSize=${pageSize}&summaryOnly=true`,
    )
    found.push(
      ...Contacts.map((one) => ({
        ...{
          id: String(one.ContactID),
          name: String(one.Name),
          is_active: one.ContactStatus === 'ACTIVE' || one.ContactStatus === undefined,
        },
        detail: one.EmailAddress ? String(one.EmailAddress) : null,
      })),
    )
    if (Contacts.length < pageSize) return found
  }
}

/** Terms of payment belong to contacts there: there is no list of them, and the due date is sent. */
const lists: Partial<Record<RemoteList, (client: Client) => Promise<RemoteEntry[]>>> = {
  vendors: contacts,
  customers: contacts,
  async accounts(client) {
    const { Accounts = [] } = await call<{ Accounts?: Json[] }>(client, 'Accounts')
    return Accounts.filter(({ Code }) => Boolean(Code)).map(({ Code, Name, Type, Status }) => ({
      ...{
        id: String(Code),
        name: `${Code} ${Name}`,
        detail: Type ? String(Type) : null,
        is_active: Status === 'ACTIVE',
      },
    }))
  },
  /** Those that payments can be made to. They may have no code. */
  async bank_accounts(client) {
    const { Accounts = [] } = await call<{ Accounts?: Json[] }>(client, 'Accounts')
    return Accounts.filter(
      ({ Type, EnablePaymentsToAccount }) => Type === 'BANK' || EnablePaymentsToAccount === true,
    ).map(({ AccountID, Code, Name, Type, Status }) => ({
      ...{
        id: String(AccountID),
        name: Code ? `${Code} ${Name}` : String(Name),
        detail: Type ? String(Type) : null,
        is_active: Status === 'ACTIVE',
      },
    }))
  },
  async tax_codes(client) {
    const { TaxRates = [] } = await call<{ TaxRates?: Json[] }>(client, 'TaxRates')
    return TaxRates.map(({ TaxType, Name, DisplayTaxRate, Status }) => ({
      ...{
        id: String(TaxType),
        name: String(Name),
        detail: DisplayTaxRate === undefined ? null : `${DisplayTaxRate} %`,
        is_active: Status === 'ACTIVE',
      },
    }))
  },
}

function bodyOf(client: Client, document: OutgoingDocument): Json {
  const { type, date, due_date, currency, party, decimals, reference_number, hand_tax } = document
  const isTaxed = document.lines.some(({ tax_code }) => tax_code !== null)
  const lines =
    hand_tax === 0 ? document.lines : [...document.lines, handTaxLine(hand_tax, client.settings.tax_account ?? null)]
  return {
    Type: types[type],
    Contact: { ContactID: party.remote_id },
    InvoiceNumber: numberOf(document),
    ...(type === 'invoice' && reference_number && { Reference: reference_number }),
    Date: date,
    // An authorised document needs a due date there.
    DueDate: due_date ?? date,
    CurrencyCode: currency,
    Status: 'AUTHORISED',
    LineAmountTypes: isTaxed ? 'Exclusive' : 'NoTax',
    Url: urlOf(client, document),
    LineItems: lines.map((line) => lineOf(line, decimals, isTaxed)),
  }
}

function lineOf(
  { type, description, quantity, unit_price, amount, account, tax_code, tax }: OutgoingLine,
  decimals: number,
  isTaxed: boolean,
): Json {
  return {
    Description: description || type || '-',
    Quantity: quantity,
    UnitAmount: decimal(unit_price, decimals),
    LineAmount: decimal(amount, decimals),
    AccountCode: account,
    ...(isTaxed && { TaxType: tax_code ?? 'NONE', TaxAmount: decimal(tax, decimals) }),
  }
}

/** Bills carry the number of the carrier, by which people look for them there. */
function numberOf({ type, number, reference_number }: OutgoingDocument): string {
  return ((type === 'bill' && reference_number) || number).slice(0, 255)
}

function urlOf({ publicUrl }: Client, { type, id }: OutgoingDocument): string {
  return `${publicUrl}/${places[type]}/${id}`
}

async function write(client: Client, path: string, key: string, invoice: Json): Promise<RemoteRecord> {
  const { Invoices = [] } = await call<{ Invoices?: Json[] }>(client, `${path}?summarizeErrors=false`, {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: { Invoices: [invoice] },
  })
  const [made] = Invoices
  const errors = messagesIn(made)
  if (errors.length > 0 || made?.StatusAttributeString === 'ERROR')
    throw new RemoteFault('refused', errors.join(' ') || 'Xero refused it and did not say why.')
  return knownIn(made)
}

function knownIn(invoice: Json | undefined): RemoteRecord {
  if (!invoice?.InvoiceID) throw new RemoteFault('no_answer', 'Xero answered something else than an invoice.')
  return { remote_id: String(invoice.InvoiceID), version: null }
}

function isOver(status: unknown): boolean {
  return status === 'VOIDED' || status === 'DELETED'
}
