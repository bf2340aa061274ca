/** Xero as its documentation describes it, as far as Lading asks: tenants, invoices of both types, idempotency keys, payments, validation errors. */
import { type Accounting, type Asked, type Given, startAccounting } from './accounting.ts'

type Json = Record<string, unknown>
export type Tenant = { Contacts: Json[]; Accounts: Json[]; TaxRates: Json[]; Invoices: Json[]; Payments: Json[] }
export type Xero = Accounting & {
  tenant(id: string): Tenant
  /** What is open of an invoice. */
  due(tenant: string, invoice: Json): number
  /** Somebody pays an invoice there. */
  pay(tenant: string, invoice: string, amount: number, more?: Json): Json
}

export async function startXero(): Promise<Xero> {
  const tenants = new Map<string, Tenant>()
  const keys = new Map<string, { body: string; given: Given }>()
  let counter = 0
  const tenant = (id: string): Tenant => {
    const found = tenants.get(id) ?? newTenant()
    tenants.set(id, found)
    return found
  }
  const stamp = (at = Date.now()) => `/Date(${at}+0000)/`

  function answer(asked: Asked): Given {
    if (asked.path === '/connections')
      return {
        status: 200,
        body: [
          { id: 'c1', tenantId: asked.company, tenantName: `Tenant ${asked.company}`, tenantType: 'ORGANISATION' },
        ],
      }
    const [, name = '', id] = /^\/api\.xro\/2\.0\/(\w+)(?:\/(.+))?$/.exec(asked.path) ?? []
    const own = tenant(asked.company)
    if (asked.method === 'POST' && name === 'Invoices') return once(asked, () => write(own, asked.body, id))
    if (name === 'Invoices') {
      const numbers = asked.query.get('InvoiceNumbers')?.split(',')
      const found = own.Invoices.filter(({ InvoiceID, InvoiceNumber }) =>
        id ? InvoiceID === id : !numbers || numbers.includes(String(InvoiceNumber)),
      )
      return id && found.length === 0 ? notFound : { status: 200, body: { Invoices: found } }
    }
    if (name === 'Payments' && asked.method === 'PUT') return once(asked, () => makePayment(own, asked.body))
    if (name === 'Payments' && asked.method === 'POST') return once(asked, () => deletePayment(own, asked.body, id))
    if (name === 'Payments' && id) {
      const found = own.Payments.filter(({ PaymentID }) => PaymentID === id)
      return found.length > 0 ? { status: 200, body: { Payments: found } } : notFound
    }
    if (name === 'Payments') {
      const since = Date.parse(`${asked.headers['if-modified-since']}Z`)
      const found = own.Payments.filter(({ UpdatedDateUTC }) => !since || msIn(UpdatedDateUTC) >= since)
      return { status: 200, body: { Payments: asked.query.get('page') === '1' ? found : [] } }
    }
    return {
      status: 200,
      body: { [name]: asked.query.get('page') && asked.query.get('page') !== '1' ? [] : own[name as keyof Tenant] },
    }
  }

  function once(asked: Asked, work: () => Given): Given {
    const key = `${asked.company} ${asked.headers['idempotency-key']}`
    const body = JSON.stringify(asked.body)
    const before = keys.get(key)
    if (before)
      return before.body === body
        ? before.given
        : { status: 400, body: { Title: 'Idempotency key was used with another request', Status: 400 } }
    const given = work()
    keys.set(key, { body, given })
    return given
  }

  function write(own: Tenant, body: Json, id: string | undefined): Given {
    const [sent = {}] = (body as { Invoices?: Json[] }).Invoices ?? []
    const current = id ? own.Invoices.find(({ InvoiceID }) => InvoiceID === id) : undefined
    if (id && !current) return notFound
    const isPaid = current !== undefined && paidOf(own, current) > 0
    const errors = isPaid
      ? ['This document cannot be edited as it has a payment or credit note allocated to it.']
      : current && sent.Status === 'VOIDED'
        ? []
        : errorsIn(own, sent)
    if (errors.length > 0)
      return {
        status: 200,
        body: {
          Invoices: [
            {
              ...sent,
              StatusAttributeString: 'ERROR',
              HasErrors: true,
              ValidationErrors: errors.map((Message) => ({ Message })),
            },
          ],
        },
      }
    const InvoiceID = current ? current.InvoiceID : `00000000-0000-4000-8000-${String(++counter).padStart(12, '0')}`
    const made = { ...current, ...sent, InvoiceID, UpdatedDateUTC: stamp() }
    if (current) own.Invoices[own.Invoices.indexOf(current)] = made
    else own.Invoices.push(made)
    return { status: 200, body: { Invoices: [{ ...made, StatusAttributeString: 'OK' }] } }
  }

  /** Payments are made and deleted, never changed. */
  function makePayment(own: Tenant, body: Json): Given {
    const [sent = {}] = (body as { Payments?: Json[] }).Payments ?? []
    const invoice = own.Invoices.find(({ InvoiceID }) => InvoiceID === (sent.Invoice as Json | undefined)?.InvoiceID)
    const account = own.Accounts.find(({ AccountID }) => AccountID === (sent.Account as Json | undefined)?.AccountID)
    const errors = [
      ...(invoice ? [] : ['Invoice could not be found']),
      ...(invoice && invoice.Status !== 'AUTHORISED' ? ['Payments can only be made against Authorised documents'] : []),
      ...(account?.Type === 'BANK' || account?.EnablePaymentsToAccount
        ? []
        : ['Account could not be found, or takes no payments']),
      ...(Number(sent.Amount) > 0 ? [] : ['Payment amount must be greater than 0']),
      ...(invoice && Number(sent.Amount) > totalOf(invoice) - paidOf(own, invoice)
        ? ['Payment amount exceeds the amount outstanding on this document']
        : []),
    ]
    if (errors.length > 0)
      return {
        status: 200,
        body: {
          Payments: [
            { ...sent, StatusAttributeString: 'ERROR', ValidationErrors: errors.map((Message) => ({ Message })) },
          ],
        },
      }
    const made = paymentOf(invoice as Json, {
      ...sent,
      Date: stamp(Date.parse(String(sent.Date))),
      Invoice: { InvoiceID: invoice?.InvoiceID, Type: invoice?.Type },
    })
    own.Payments.push(made)
    return { status: 200, body: { Payments: [{ ...made, StatusAttributeString: 'OK' }] } }
  }

  function deletePayment(own: Tenant, body: Json, id: string | undefined): Given {
    const [sent = {}] = (body as { Payments?: Json[] }).Payments ?? []
    const found = own.Payments.find(({ PaymentID }) => PaymentID === id)
    if (!found) return notFound
    const wrong = found.IsReconciled
      ? 'Payment is reconciled'
      : found.Status === 'DELETED' || sent.Status !== 'DELETED'
        ? 'Payment not of valid status for modification'
        : null
    if (wrong)
      return {
        status: 400,
        body: {
          Type: 'ValidationException',
          Message: 'A validation exception occurred',
          Elements: [{ ValidationErrors: [{ Message: wrong }] }],
        },
      }
    Object.assign(found, { Status: 'DELETED', UpdatedDateUTC: stamp() })
    return { status: 200, body: { Payments: [found] } }
  }

  function paymentOf(invoice: Json, more: Json): Json {
    return {
      PaymentID: `11111111-0000-4000-8000-${String(++counter).padStart(12, '0')}`,
      ...{
        PaymentType: invoice.Type === 'ACCREC' ? 'ACCRECPAYMENT' : 'ACCPAYPAYMENT',
        Status: 'AUTHORISED',
        UpdatedDateUTC: stamp(),
      },
      ...more,
    }
  }

  function pay(id: string, invoice: string, amount: number, more: Json = {}): Json {
    const found = tenant(id).Invoices.find(({ InvoiceID }) => InvoiceID === invoice)
    const payment = paymentOf(found ?? {}, {
      ...{
        Date: stamp(Date.parse('2026-11-16')),
        Amount: amount,
        Reference: 'EFT 9',
        Invoice: { InvoiceID: invoice, Type: found?.Type },
      },
      ...more,
    })
    tenant(id).Payments.push(payment)
    return payment
  }

  const accounting = await startAccounting({
    tokenPath: '/connect/token',
    lifetime: 1800,
    answer,
    companyIn: (request, _url, ofToken) => String(request.headers['xero-tenant-id'] ?? ofToken ?? ''),
    expired: {
      status: 401,
      body: { Type: null, Title: 'Unauthorized', Status: 401, Detail: 'TokenExpired: token expired' },
    },
    forbidden: {
      status: 403,
      body: { Type: null, Title: 'Forbidden', Status: 403, Detail: 'AuthenticationUnsuccessful' },
    },
    busy: { status: 429, headers: { 'retry-after': '33', 'x-rate-limit-problem': 'minute' }, body: {} },
  })
  return { ...accounting, tenant, due: (id, invoice) => totalOf(invoice) - paidOf(tenant(id), invoice), pay }
}

function newTenant(): Tenant {
  return {
    Contacts: [
      {
        ContactID: 'bd2270c3-8706-4c11-9cfb-000b551c3f51',
        Name: 'Cascade Carriers',
        ContactStatus: 'ACTIVE',
        EmailAddress: 'ar@cascade.example',
      },
      { ContactID: 'bd2270c3-8706-4c11-9cfb-000b551c3f52', Name: 'Acme Foods', ContactStatus: 'ACTIVE' },
    ],
    Accounts: [
      { AccountID: 'a1', Code: '310', Name: 'Freight', Type: 'DIRECTCOSTS', Status: 'ACTIVE' },
      { AccountID: 'a2', Code: '200', Name: 'Sales', Type: 'REVENUE', Status: 'ACTIVE' },
      { AccountID: 'a3', Name: 'Checking', Type: 'BANK', Status: 'ACTIVE' },
      { AccountID: 'a4', Code: '091', Name: 'Savings', Type: 'BANK', Status: 'ACTIVE' },
    ],
    TaxRates: [{ TaxType: 'INPUT2', Name: 'GST on Expenses', DisplayTaxRate: 15, Status: 'ACTIVE' }],
    Invoices: [],
    Payments: [],
  }
}

const notFound: Given = { status: 404, body: { Title: 'The resource you’re looking for cannot be found' } }

function totalOf({ LineItems }: Json): number {
  return ((LineItems ?? []) as Json[]).reduce(
    (sum, { LineAmount, TaxAmount }) => sum + Number(LineAmount) + Number(TaxAmount ?? 0),
    0,
  )
}

function paidOf({ Payments }: Tenant, { InvoiceID }: Json): number {
  const own = Payments.filter(
    ({ Invoice, Status }) => (Invoice as Json).InvoiceID === InvoiceID && Status !== 'DELETED',
  )
  return own.reduce((sum, { Amount }) => sum + Number(Amount), 0)
}

function errorsIn({ Contacts, Accounts }: Tenant, sent: Json): string[] {
  const contact = (sent.Contact as { ContactID?: string } | undefined)?.ContactID
  const lines = (sent.LineItems ?? []) as Json[]
  return [
    ...(Contacts.some(({ ContactID }) => ContactID === contact) ? [] : ['The Contact could not be found.']),
    ...(sent.Status === 'AUTHORISED' && !sent.DueDate ? ['Due Date cannot be empty.'] : []),
    ...(lines.length > 0 ? [] : ['One or more line items must be specified.']),
    ...lines.flatMap(({ AccountCode }) =>
      Accounts.some(({ Code }) => Code === AccountCode)
        ? []
        : [`Account code '${AccountCode}' is not a valid code for this document.`],
    ),
  ]
}

function msIn(value: unknown): number {
  return Number(/\d+/.exec(String(value))?.[0])
}
