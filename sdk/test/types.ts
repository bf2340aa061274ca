/** Checked by every TypeScript that the package promises, and by our own on its sources; never run. */
import {
  type AnswerTo,
  answerOf,
  type Bill,
  type BillPage,
  type CarrierInvoice,
  type CreateBill,
  clientCredentials,
  createLading,
  createPlainLading,
  type EventOf,
  each,
  follow,
  isRefusal,
  type Lading,
  LadingConnectionError,
  LadingError,
  type Paths,
  type Payment,
  type PlainLading,
  pages,
  passwordGrant,
  refreshTokenGrant,
  type Schemas,
  type SearchBills,
  type SearchPayments,
  type TokenSource,
  type UpdateBill,
  verifyWebhook,
  type WebhookMessage,
  WebhookVerificationError,
} from '@lading/sdk'
import { createSignIn, NotAllowedIn, SignedOut, type SignIn, type SignInOptions } from '@lading/sdk/sign-in'

const lading: Lading = createLading({ baseUrl: 'https://tms.example.com', token: async () => 'token' })

export async function search(): Promise<Schemas['Bill'][]> {
  const { data, error } = await lading.GET('/api/v1/bills', { params: { query: { status_ids: ['sent'], limit: 5 } } })
  if (error) throw new Error(error.error_message)
  const total: number = data.total
  return total === 0 ? [] : data.bills
}

export async function update(tag: string): Promise<void> {
  await lading.PUT('/api/v1/bills/{billID}', {
    params: { path: { billID: 'ext:TMS-4711' }, header: { 'If-Match': tag } },
    body: { reference_number: 'PO 7' },
  })
}

/** What the console is made with: the calls alone. */
export const plain: PlainLading = createPlainLading({ baseUrl: 'https://tms.example.com', token: 'token' })

export async function methods(signal: AbortSignal): Promise<Bill[]> {
  const page: BillPage = await lading.bills.list({ status_ids: ['sent'], limit: 5 }, { timeout: 5_000, signal })
  const bills: Bill[] = page.bills
  for await (const bill of lading.bills.list()) bills.push(bill)
  for await (const { total } of lading.bills.list({ unpaid: true }).pages()) keep(total + 1)
  for await (const { fullId } of lading.objects.search({ objectKey: 'customer' })) keep(fullId)
  const { bill } = await lading.bills.update('ext:7', { notes: null }, { ifMatch: 3, dryRun: true })
  const { bill_item } = await lading.bills.items.add(bill.id, { unit_price: 5, quantity: 1 }, { idempotencyKey: 'k' })
  keep([bill_item.id, (await lading.bills.retrieve(bill.id, { asOf: '2026-10-31' })).bill.number])
  await lading.bills.delete(bill.id)
  const pdf: Response = await lading.bills.pdf(bill.id)
  const csv: Response = await lading.reports.payablesAging({ as_of: '2026-10-31' }, { accept: 'text/csv' })
  await lading.objects.import('id\n', { objectKey: 'customer' })
  await lading.documents.create({ file: await pdf.blob(), file_name: 'bill.pdf', document_type: 'other' })
  for await (const { event } of lading.events.follow({ types: ['bill.paid'], signal })) keep(event.type)
  keep(csv.body)
  return bills
}

export async function mistakesWithMethods(): Promise<void> {
  // @ts-expect-error: there is no such field.
  await lading.bills.create({ currency: 'usd' })
  // @ts-expect-error: a bill has no such state.
  lading.bills.list({ status_ids: ['nonsense'] })
  // @ts-expect-error: there is no such filter.
  lading.bills.list({ state: 'sent' })
  // @ts-expect-error: which bill?
  await lading.bills.pay()
  // @ts-expect-error: a reason is asked for.
  await lading.bills.void('ext:7')
  // @ts-expect-error: a read has no key.
  await lading.bills.retrieve('ext:7', { idempotencyKey: 'k' })
  // @ts-expect-error: of which kind?
  await lading.objects.import('id\n')
  // @ts-expect-error: what an answer has is in its envelope.
  keep((await lading.bills.retrieve('ext:7')).number)
  // @ts-expect-error: there is no such code.
  keep(isRefusal(new Error('x'), 'nonsense'))
  // @ts-expect-error: the plain client has the calls alone.
  keep(plain.bills)
}

export async function mistakes(): Promise<void> {
  // @ts-expect-error: there is no such path.
  await lading.GET('/api/v1/nonsense')
  // @ts-expect-error: a limit is a number.
  await lading.GET('/api/v1/bills', { params: { query: { limit: 'ten' } } })
  // @ts-expect-error: there is no such state.
  await lading.GET('/api/v1/bills', { params: { query: { status_ids: ['nonsense'] } } })
}

const kept: unknown[] = []
const keep = (value: unknown) => void kept.push(value)
const application = { authUrl: 'https://tms.example.com', clientId: 'id', clientSecret: 'secret' }
export const sources: TokenSource[] = [
  clientCredentials(application),
  passwordGrant({ ...application, username: 'dana@example.com', password: 'secret' }),
  refreshTokenGrant({ ...application, refreshToken: 'kept', onTokens: ({ refresh_token }) => keep(refresh_token) }),
]
export const repeating = createLading({
  baseUrl: 'https://tms.example.com',
  token: sources[0] as TokenSource,
  retry: { times: 5 },
})

export async function iterate(): Promise<Bill[]> {
  const query: SearchBills = { exported: false, sort: '-created_at', limit: 100 }
  const bills: Bill[] = []
  for await (const bill of each(lading, '/api/v1/bills', { params: { query: { exported: false } } })) bills.push(bill)
  for await (const { total, next_after } of pages(lading, '/api/v1/pay_terms'))
    keep([total + 1, next_after?.length, query.limit])
  for await (const line of each(lading, '/api/v1/bills/{billID}/items', { params: { path: { billID: 'ext:7' } } }))
    keep(line.unit_price + 1)
  for await (const { fullId } of each(lading, '/api/v2/platformModel/objects/search', {
    body: { objectKey: 'customer' },
  }))
    keep(fullId)
  const track = pages(lading, '/api/v1/manifests/{manifestID}/track', { params: { path: { manifestID: 'ext:7' } } })
  for await (const { next_after } of track) keep(next_after?.length)
  return bills
}

export async function feed(signal: AbortSignal): Promise<void> {
  for await (const { type } of each(lading, '/api/v1/events', {
    params: { query: { after: 'kept', types: ['bill.*'] } },
    timeout: 5_000,
  }))
    keep(type.length)
  for await (const { event, position } of follow(lading, { after: 'kept', types: ['bill.paid'], signal }))
    keep([event.type, position.length])
  // @ts-expect-error: the iterator goes forwards.
  each(lading, '/api/v1/events', { params: { query: { newest_first: true } } })
}

/** Every schema has its name. */
export const named: [Payment['id'], CarrierInvoice['id'], SearchPayments['limit']] = ['a', 'b', 5]

export async function write(id: string): Promise<AnswerTo<'updateBill'> | number> {
  const [made, change]: [CreateBill, UpdateBill] = [{ currency_id: 'usd' }, { notes: null }]
  try {
    await lading.POST('/api/v1/bills', { body: made })
    return await answerOf(lading.PUT('/api/v1/bills/{billID}', { params: { path: { billID: id } }, body: change }))
  } catch (error) {
    if (isRefusal(error, 'stale', 'already_paid')) keep(error.code === 'stale')
    if (error instanceof LadingError)
      return error.details.length + error.code.length + (error.requestId?.length ?? 0) + error.status
    if (error instanceof LadingConnectionError) keep([error.timedOut, error.attempts + 1, error.idempotencyKey?.length])
    throw error
  }
}

export async function mistakesWithPages(): Promise<void> {
  // @ts-expect-error: this path answers one record.
  each(lading, '/api/v1/bills/{billID}')
  // @ts-expect-error: the iterator says where a page begins.
  each(lading, '/api/v1/bills', { params: { query: { offset: 20 } } })
  // @ts-expect-error: whose lines?
  each(lading, '/api/v1/bills/{billID}/items')
  // @ts-expect-error: of which kind?
  each(lading, '/api/v2/platformModel/objects/search', { body: {} })
  // @ts-expect-error: its pages are no lists of records.
  each(lading, '/api/v1/manifests/{manifestID}/track', { params: { path: { manifestID: 'ext:7' } } })
}

export async function receive(request: Request): Promise<Bill | string | null> {
  const message: WebhookMessage = await verifyWebhook(await request.text(), request.headers, 'whsec_x').catch(
    (error: unknown) => {
      throw error instanceof WebhookVerificationError ? new Error(error.code) : error
    },
  )
  if (message.type === 'bill.paid') return message.data.data
  // The type says what the record is.
  if (message.type === 'customer.created') return message.data.data.fullId
  // @ts-expect-error: there is no such type.
  if (message.type === 'bill.eaten') return null
  const sent: EventOf<'bill.sent'> | null = message.type === 'bill.sent' ? message.data : null
  return sent?.data.number ?? null
}

export type Query = NonNullable<Paths['/api/v1/bills']['get']['parameters']['query']>

export function signIn(options: SignInOptions): SignIn {
  const made = createSignIn(options)
  made
    .token()
    .catch((error: unknown) =>
      error instanceof SignedOut ? made.begin('/') : error instanceof NotAllowedIn && error.code,
    )
  return made
}
