import {
  type Client,
  decimal,
  type IncomingPayment,
  markLength,
  type OutgoingPayment,
  type PaymentsAdapter,
  RemoteFault,
  type RemoteRecord,
} from './adapter.ts'
import { call, type Json, messagesIn, pageSize, timeIn } from './xero-api.ts'

/**
 * A payment settles one document, and can be deleted but not changed. Batch payments would be one for several, but have no place for a reference in most
 * countries. The reference ends with our mark.
 */
export const xeroPayments: PaymentsAdapter = {
  isPerDocument: true,
  keepsRest: () => false,

  async find(client, { id }, since) {
    const { found } = await changedSince(client, since)
    const own = found.find((one) => markIn(one) === id.slice(-markLength) && one.Status !== 'DELETED')
    return own ? knownIn(own) : null
  },

  async read(client, remoteId) {
    const { Payments = [] } = await call<{ Payments?: Json[] }>(client, `Payments/${remoteId}`).catch((error) => {
      if (error instanceof RemoteFault && error.kind === 'gone') return { Payments: [] }
      throw error
    })
    const [found] = Payments
    return found && found.Status !== 'DELETED' ? knownIn(found) : null
  },

  async create(client, payment, requestId) {
    return write(client, 'PUT', 'Payments', requestId, bodyOf(payment))
  },

  update: null,

  async remove(client, { remote_id }, requestId) {
    await write(client, 'POST', `Payments/${remote_id}`, requestId, { Status: 'DELETED' })
  },

  async since(client, since) {
    const { found, until } = await changedSince(client, since)
    return { payments: found.map(paymentOf), until }
  },
}

async function changedSince(client: Client, since: string): Promise<{ found: Json[]; until: string }> {
  const found: Json[] = []
  let until = since
  for (let page = 1; ; page++) {
    const path = `Payments?page=${page}&pageSize=${pageSize}&order=${encodeURIComponent('UpdatedDateUTC ASC')}`
    // Without a fraction: the header has none.
    const { Payments = [] } = await call<{ Payments?: Json[] }>(client, path, {
      headers: { 'if-modified-since': since.slice(0, 19) },
    })
    for (const one of Payments) {
      found.push(one)
      const updated = new Date(timeIn(one.UpdatedDateUTC)).toISOString()
      if (updated > until) until = updated
    }
    if (Payments.length < pageSize) return { found, until }
  }
}

function bodyOf({ id, date, decimals, account, amount, parts, number, reference_number }: OutgoingPayment): Json {
  const mark = `${number}/${id.slice(-markLength)}`
  return {
    Invoice: { InvoiceID: parts[0]?.remote_id },
    Account: { AccountID: account },
    Date: date,
    Amount: decimal(amount, decimals),
    Reference: reference_number ? `${reference_number.slice(0, 200)} ${mark}` : mark,
  }
}

function markIn({ Reference }: Json): string | null {
  return /(?:^| )PAY-\d+\/([0-9a-f]{8})$/.exec(String(Reference ?? ''))?.[1] ?? null
}

async function write(
  client: Client,
  method: 'PUT' | 'POST',
  path: string,
  key: string,
  payment: Json,
): Promise<RemoteRecord> {
  const { Payments = [] } = await call<{ Payments?: Json[] }>(
    client,
    `${path}${method === 'PUT' ? '?summarizeErrors=false' : ''}`,
    {
      method,
      headers: { 'idempotency-key': key },
      body: { Payments: [payment] },
    },
  )
  const [made] = Payments
  const errors = messagesIn(made)
  if (errors.length > 0 || made?.StatusAttributeString === 'ERROR')
    throw new RemoteFault('refused', errors.join(' ') || 'Xero refused it and did not say why.')
  return knownIn(made)
}

function knownIn(payment: Json | undefined): RemoteRecord {
  if (!payment?.PaymentID) throw new RemoteFault('no_answer', 'Xero answered something else than a payment.')
  return { remote_id: String(payment.PaymentID), version: null }
}

function paymentOf(one: Json): IncomingPayment {
  const invoice = (one.Invoice ?? {}) as { InvoiceID?: string; Type?: string }
  const type = String(one.PaymentType ?? '').startsWith('ACCPAY') || invoice.Type === 'ACCPAY' ? 'bill' : 'invoice'
  return {
    remote_id: String(one.PaymentID),
    version: String(timeIn(one.UpdatedDateUTC)),
    is_deleted: one.Status === 'DELETED',
    direction: type === 'bill' ? 'out' : 'in',
    date: new Date(timeIn(one.Date)).toISOString().slice(0, 10),
    method: 'other',
    reference_number: one.Reference ? String(one.Reference) : null,
    mark: markIn(one),
    // Credits are allocated there, and are no payments.
    credit: 0,
    parts: invoice.InvoiceID ? [{ type, remote_id: invoice.InvoiceID, amount: Number(one.Amount ?? 0) }] : [],
  }
}
