/** Carriers, customers and their documents for the tests of payables and receivables, created with the API. */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { adminToken, call, product, tokenFrom } from './product.ts'

export type Made = { id: string; number: string | null; revision: number; status_id: string }

async function make<Body>(method: string, path: string, body: unknown = {}): Promise<Body> {
  const { status, body: answer } = await call<Body>(await adminToken(), method, path, body)
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
  return answer
}

export async function newCarrier(name: string): Promise<{ id: string; name: string }> {
  const remit_to = {
    company_name: name,
    address_1: '1 Dock Rd',
    city: 'Toledo',
    state: 'OH',
    postal: '43605',
    country: 'US',
  }
  type Answer = { partner_carrier: { id: string; name: string } }
  return (
    await make<Answer>('POST', '/partner_carriers', {
      name,
      currency_id: 'usd',
      pay_term: 'Net 30',
      email: 'ap@carrier.example',
      remit_to,
    })
  ).partner_carrier
}

export async function newBill(content: object, ...moves: string[]): Promise<Made> {
  let { bill } = await make<{ bill: Made }>('POST', '/bills', {
    currency_id: 'usd',
    items: [{ unit_price: 12550, quantity: 2 }],
    ...content,
  })
  for (const move of moves) bill = (await make<{ bill: Made }>('POST', `/bills/${bill.id}/${move}`)).bill
  return bill
}

/** As many saved bills of a carrier, of a dollar each. */
export async function newBills(count: number, content: object): Promise<void> {
  const bills = Array.from({ length: count }, () => ({
    currency_id: 'usd',
    items: [{ unit_price: 100, quantity: 1 }],
    ...content,
  }))
  const { results } = await make<{ results: { id: string }[] }>('POST', '/bills/bulk', { bills })
  await make('POST', '/bills/bulk', { bills: results.map(({ id }) => ({ id, status_id: 'saved' })) })
}

let approving: Promise<string> | undefined

/** A token of the admin through an application of their own: nobody approves through the one that asked. */
function approverToken(): Promise<string> {
  const made = async () => {
    const { username, password } = product().demo
    const content = { name: 'Approvals', grant_types: ['password'], scopes: ['bills'] }
    type Answer = { oauth_application: { client_id: string; client_secret: string } }
    const { client_id, client_secret } = (await make<Answer>('POST', '/oauth_applications', content)).oauth_application
    const { access_token = '' } = await tokenFrom({
      grant_type: 'password',
      username,
      password,
      client_id,
      client_secret,
    })
    return access_token
  }
  approving ??= made()
  return approving
}

/** The demo's application asks for it, and the admin approves. */
export async function newPayee(content: object): Promise<{ id: string; name: string }> {
  const { client_id, client_secret } = product().demo
  const { access_token = '' } = await tokenFrom({ grant_type: 'client_credentials', client_id, client_secret })
  const bank_details = { routing_number: '021000021', account_number: '000123456789' }
  type Answer = { payee: { id: string; name: string; waiting_change: { id: string } } }
  const { status, body } = await call<Answer>(access_token, 'POST', '/payees', {
    method: 'ach',
    bank_details,
    ...content,
  })
  if (status !== 201) throw new Error(`POST /payees: ${status} ${JSON.stringify(body)}`)
  const { payee } = body
  const approval = `/payees/${payee.id}/changes/${payee.waiting_change.id}/approve`
  const approved = await call<Answer>(await approverToken(), 'POST', approval)
  if (approved.status !== 200) throw new Error(`POST ${approval}: ${approved.status} ${JSON.stringify(approved.body)}`)
  return approved.body.payee
}

export async function newCustomer(name: string): Promise<{ id: string; name: string }> {
  const billing_address = {
    company_name: name,
    address_1: '9 Cannery Row',
    city: 'Oakland',
    state: 'CA',
    postal: '94607',
    country: 'US',
  }
  type Answer = { customer: { id: string; name: string } }
  return (
    await make<Answer>('POST', '/customers', {
      name,
      currency_id: 'usd',
      pay_term: 'Net 30',
      email: 'ap@customer.example',
      billing_address,
    })
  ).customer
}

export async function newInvoice(content: object, ...moves: string[]): Promise<Made> {
  let { invoice } = await make<{ invoice: Made }>('POST', '/invoices', {
    currency_id: 'usd',
    items: [{ unit_price: 40000, quantity: 1 }],
    ...content,
  })
  for (const move of moves) invoice = (await make<{ invoice: Made }>('POST', `/invoices/${invoice.id}/${move}`)).invoice
  return invoice
}

export async function newPayment(content: object): Promise<Made> {
  return (await make<{ payment: Made }>('POST', '/payments', { currency_id: 'usd', method: 'wire', ...content }))
    .payment
}

export async function newCredit(content: object): Promise<Made> {
  const { credit } = await make<{ credit: Made }>('POST', '/credits', {
    currency_id: 'usd',
    items: [{ unit_price: 5000, quantity: 1 }],
    ...content,
  })
  return (await make<{ credit: Made }>('POST', `/credits/${credit.id}/save`)).credit
}

/** What a unit of a currency is worth in another, from long ago until now. */
export async function newRate(from_currency_id: string, to_currency_id: string, rate: string): Promise<void> {
  await make('POST', '/exchange_rates', { from_currency_id, to_currency_id, rate, starts_on: '2000-01-01' })
}

export async function changeBill(id: string, content: object): Promise<void> {
  await make('PUT', `/bills/${id}`, content)
}

/** Only a draft that was never saved can be deleted. */
export async function removeBill(id: string): Promise<void> {
  const headers = { authorization: `Bearer ${await adminToken()}` }
  const { status } = await fetch(`${product().url}/api/v1/bills/${id}`, { method: 'DELETE', headers })
  if (status !== 204) throw new Error(`DELETE /bills/${id}: ${status}`)
}

export async function voidBill(id: string): Promise<void> {
  await make('POST', `/bills/${id}/void`, { reason: 'Entered twice' })
}

export async function newStatement(bill_ids: string[], ...moves: string[]): Promise<Made> {
  type Answer = { consolidated_bill: Made }
  let { consolidated_bill } = await make<Answer>('POST', '/consolidated_bills', { bill_ids })
  for (const move of moves)
    consolidated_bill = (await make<Answer>('POST', `/consolidated_bills/${consolidated_bill.id}/${move}`))
      .consolidated_bill
  return consolidated_bill
}

export async function billNow(id: string): Promise<
  Made & {
    amount_due: number
    consolidated_bill_id: string | null
    bill_items: { description: string | null; total_amount: number }[]
    notes: string | null
  }
> {
  const { body } = await call<{
    bill: Made & { amount_due: number; notes: string | null; consolidated_bill_id: string | null }
    bill_items: []
  }>(await adminToken(), 'GET', `/bills/${id}`)
  return { ...body.bill, bill_items: body.bill_items }
}

/** A delivered manifest with what was agreed with its carrier, and its proof of delivery. */
export async function newTrip(partner_carrier_id: string, reference_number: string): Promise<{ id: string }> {
  const payment_items = [
    { type: 'Line haul', unit_price: 100000 },
    { type: 'Fuel surcharge', unit_price: 28000 },
  ]
  const content = { partner_carrier_id, reference_number, currency_id: 'usd', status: 'completed', payment_items }
  const { manifest } = await make<{ manifest: { id: string } }>('POST', '/manifests', content)
  const { status } = await fetch(
    `${product().url}/api/v1/documents?document_type=pod&attached_to=manifest:${manifest.id}`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await adminToken()}`,
        'content-type': 'application/pdf',
        'content-disposition': 'attachment; filename="pod.pdf"',
      },
      body: `%PDF-1.4 ${reference_number}`,
    },
  )
  if (status !== 201) throw new Error(`POST /documents: ${status}`)
  return manifest
}

export type MadeCarrierInvoice = {
  id: string
  state: string
  bill_id: string | null
  notes: string | null
  manifest_ids: string[]
}

/** What the carrier asks for a trip, with this line haul, audited. */
export async function newCarrierInvoice(
  partner_carrier_id: string,
  invoice_number: string,
  lineHaul = 100000,
): Promise<MadeCarrierInvoice> {
  const lines = [
    { type: 'Line haul', amount: lineHaul },
    { type: 'Fuel surcharge', amount: 28000 },
  ]
  const content = {
    partner_carrier_id,
    invoice_number,
    invoice_date: '2026-11-10',
    currency_id: 'usd',
    reference_number: `T-${invoice_number}`,
    lines,
  }
  type Answer = { carrier_invoice: MadeCarrierInvoice }
  const { id } = (await make<Answer>('POST', '/carrier_invoices', content)).carrier_invoice
  return (await make<Answer>('POST', `/carrier_invoices/${id}/audit`)).carrier_invoice
}

export async function changeCarrierInvoice(id: string, content: object): Promise<void> {
  await make('PUT', `/carrier_invoices/${id}`, content)
}

export async function carrierInvoiceNow(id: string): Promise<MadeCarrierInvoice> {
  return (await call<{ carrier_invoice: MadeCarrierInvoice }>(await adminToken(), 'GET', `/carrier_invoices/${id}`))
    .body.carrier_invoice
}

/** A mail of a carrier in the inbox of the demo organization, with its PDF. Answers the invoice that it becomes. */
export async function mailArrives(
  from: string,
  subject: string,
  text: string,
  pdf: { name: string; content: Buffer },
): Promise<MadeCarrierInvoice> {
  const { inbox, demo } = product()
  const folder = join(inbox, demo.org_id)
  const boundary = 'part-of-the-mail'
  const message = [
    ...[
      `From: ${from}`,
      'To: invoices@blueridge.example',
      `Subject: ${subject}`,
      'Date: Mon, 16 Nov 2026 09:00:00 +0000',
      'MIME-Version: 1.0',
    ],
    ...[
      `Content-Type: multipart/mixed; boundary="${boundary}"`,
      '',
      `--${boundary}`,
      'Content-Type: text/plain',
      '',
      text,
      `--${boundary}`,
    ],
    ...[
      'Content-Type: application/pdf',
      `Content-Disposition: attachment; filename="${pdf.name}"`,
      'Content-Transfer-Encoding: base64',
      '',
    ],
    ...[pdf.content.toString('base64').replace(/.{76}/g, '$&\r\n'), `--${boundary}--`, ''],
  ].join('\r\n')
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${randomUUID()}.eml`)
  await writeFile(`${folder}/.writing`, message)
  // As if it had lain there for a while: a file that was just written may not be whole.
  await utimes(`${folder}/.writing`, new Date('2026-01-01'), new Date('2026-01-01'))
  await rename(`${folder}/.writing`, file)
  for (;;) {
    type Answer = { carrier_invoices: (MadeCarrierInvoice & { invoice_number: string })[] }
    const { body } = await call<Answer>(
      await adminToken(),
      'GET',
      `/carrier_invoices?search_term=${encodeURIComponent(subject)}`,
    )
    const [found] = body.carrier_invoices
    if (found) return found
    await sleep(250)
  }
}
