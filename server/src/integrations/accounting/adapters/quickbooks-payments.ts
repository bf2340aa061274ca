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
import { call, type Json, knownIn, longestNumber, queryAll } from './quickbooks-api.ts'

/** CDC answers changes of the last 30 days, and at most so many of each kind. */
const cdcDays = 29
const mostOfCdc = 1000

type Entity = 'BillPayment' | 'Payment'
const entities = { out: 'BillPayment', in: 'Payment' } as const

/**
 * Bills are paid by a BillPayment, invoices by a Payment, which keeps what is not applied yet. The private note has our mark. Their numbers are what people
 * enter, and their days can change, so one whose answer was lost is looked for among those of the time since.
 */
export const quickbooksPayments: PaymentsAdapter = {
  isPerDocument: false,
  keepsRest: (direction) => direction === 'in',

  async find(client, { id, direction }, since) {
    const entity = entities[direction]
    const found = await queryAll(client, entity, `where MetaData.LastUpdatedTime >= '${since}'`)
    const own = found.find((one) => String(one.PrivateNote ?? '').includes(`${mark}${id}`) && !isVoided(one))
    return own ? knownAs(entity, own) : null
  },

  async read(client, remoteId) {
    const [entity, id] = partsOf(remoteId)
    try {
      const one = ((await call(client, `${entity.toLowerCase()}/${id}`)) as Json)[entity] as Json
      return isVoided(one) ? null : knownAs(entity, one)
    } catch (error) {
      if (error instanceof RemoteFault && error.kind === 'gone') return null
      throw error
    }
  },

  async create(client, payment, requestId) {
    return write(client, payment, requestId, bodyOf(payment))
  },

  async update(client, payment, { remote_id, version }, requestId) {
    return write(client, payment, requestId, {
      ...bodyOf(payment),
      Id: partsOf(remote_id)[1],
      SyncToken: version ?? '0',
      sparse: false,
    })
  },

  async remove(client, { remote_id, version }, requestId) {
    const [entity, Id] = partsOf(remote_id)
    // A payment of a customer is voided by a change that says so; `operation=void` is for other records.
    const [operation, more] = entity === 'Payment' ? ['update&include=void', { sparse: true }] : ['delete', {}]
    await call(client, `${entity.toLowerCase()}?operation=${operation}&requestid=${requestId}`, {
      Id,
      SyncToken: version ?? '0',
      ...more,
    })
  },

  async since(client, since) {
    const isRecent = Date.parse(since) > Date.now() - cdcDays * 86_400_000
    const changed = isRecent ? await changedSince(client, since) : null
    if (changed && Object.values(changed.found).every((list) => list.length < mostOfCdc))
      return { payments: paymentsIn(changed.found), until: changed.until }
    const where = `where MetaData.LastUpdatedTime >= '${since}'`
    const found = {
      BillPayment: await queryAll(client, 'BillPayment', where),
      Payment: await queryAll(client, 'Payment', where),
    }
    const times = [...found.BillPayment, ...found.Payment].map((one) => timeOf(one)).sort()
    return { payments: paymentsIn(found), until: times.at(-1) ?? since }
  },
}

const mark = 'lading:payment:'

function markIn({ PrivateNote }: Json): string | null {
  const [, id] = /lading:payment:([0-9a-f-]{36})/.exec(String(PrivateNote ?? '')) ?? []
  return id?.slice(-markLength) ?? null
}

function bodyOf(payment: OutgoingPayment): Json {
  const { direction, date, currency, decimals, party, account, amount, parts, number, reference_number, id } = payment
  const shown = (reference_number || number).slice(0, longestNumber)
  const common = {
    TxnDate: date,
    TotalAmt: decimal(amount, decimals),
    CurrencyRef: { value: currency },
    PrivateNote: `${number} ${mark}${id}`,
    Line: parts.map(({ type, remote_id, amount }) => ({
      Amount: decimal(amount, decimals),
      LinkedTxn: [{ TxnId: remote_id, TxnType: type === 'bill' ? 'Bill' : 'Invoice' }],
    })),
  }
  return direction === 'out'
    ? {
        VendorRef: { value: party },
        PayType: 'Check',
        CheckPayment: { BankAccountRef: { value: account } },
        DocNumber: shown,
        ...common,
      }
    : { CustomerRef: { value: party }, DepositToAccountRef: { value: account }, PaymentRefNum: shown, ...common }
}

async function write(
  client: Client,
  { direction }: OutgoingPayment,
  requestId: string,
  body: Json,
): Promise<RemoteRecord> {
  const entity = entities[direction]
  return knownAs(
    entity,
    ((await call(client, `${entity.toLowerCase()}?requestid=${requestId}`, body)) as Json)[entity] as Json,
  )
}

/** The two kinds count apart, so an id names its kind. */
function knownAs(entity: Entity, one: Json): RemoteRecord {
  const { remote_id, version } = knownIn(one)
  return { remote_id: `${entity}:${remote_id}`, version }
}

function partsOf(remoteId: string): [Entity, string] {
  const [entity, id] = remoteId.split(':') as [Entity, string]
  return [entity, id]
}

type Changed = { BillPayment: Json[]; Payment: Json[] }

async function changedSince(client: Client, since: string): Promise<{ found: Changed; until: string }> {
  const { CDCResponse = [], time } = (await call(
    client,
    `cdc?entities=BillPayment,Payment&changedSince=${encodeURIComponent(since)}`,
  )) as {
    CDCResponse?: { QueryResponse?: Partial<Changed>[] }[]
    time?: string
  }
  const responses = CDCResponse.flatMap(({ QueryResponse = [] }) => QueryResponse)
  const found = {
    BillPayment: responses.flatMap(({ BillPayment = [] }) => BillPayment),
    Payment: responses.flatMap(({ Payment = [] }) => Payment),
  }
  return { found, until: time ? new Date(time).toISOString() : since }
}

function paymentsIn({ BillPayment, Payment }: Changed): IncomingPayment[] {
  return [
    ...BillPayment.map((one) => paymentOf(one, 'BillPayment')),
    ...Payment.map((one) => paymentOf(one, 'Payment')),
  ]
}

function paymentOf(one: Json, entity: Entity): IncomingPayment {
  const lines = (one.Line ?? []) as Line[]
  const parts = lines.flatMap(({ Amount = 0, LinkedTxn = [] }) =>
    LinkedTxn.filter(({ TxnType }) => TxnType === 'Bill' || TxnType === 'Invoice').map(({ TxnId, TxnType }) => ({
      type: TxnType === 'Bill' ? ('bill' as const) : ('invoice' as const),
      remote_id: String(TxnId),
      amount: Amount,
    })),
  )
  const reference = (entity === 'BillPayment' ? one.DocNumber : one.PaymentRefNum) as string | undefined
  return {
    remote_id: `${entity}:${one.Id}`,
    version: String(one.SyncToken ?? timeOf(one)),
    is_deleted: one.status === 'Deleted' || isVoided(one),
    direction: entity === 'BillPayment' ? 'out' : 'in',
    date: String(one.TxnDate ?? '').slice(0, 10),
    method: one.PayType === 'CreditCard' ? 'card' : one.PayType === 'Check' ? 'check' : 'other',
    reference_number: reference || null,
    mark: markIn(one),
    ...{ parts, credit: creditIn(one, lines, sumOf(parts.map(({ amount }) => amount))) },
  }
}

type Line = { Amount?: number; LinkedTxn?: { TxnId: string; TxnType: string }[] }

/**
 * A payment may apply credits too, as lines of their own; its total is the money that moved. What is settled beyond that is settled by something else, also
 * where no line says so.
 */
function creditIn({ TotalAmt }: Json, lines: readonly Line[], settled: number): number {
  const credits = lines.filter(({ LinkedTxn = [] }) =>
    LinkedTxn.some(({ TxnType }) => TxnType === 'VendorCredit' || TxnType === 'CreditMemo'),
  )
  const applied = sumOf(credits.map(({ Amount = 0 }) => Math.abs(Amount)))
  return Math.max(applied, typeof TotalAmt === 'number' ? settled - TotalAmt : 0, 0)
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

/** A payment that was voided there stays, with nothing in it. */
function isVoided({ TotalAmt, PrivateNote }: Json): boolean {
  return TotalAmt === 0 && String(PrivateNote ?? '').startsWith('Voided')
}

function timeOf(one: Json): string {
  return new Date(
    String((one.MetaData as { LastUpdatedTime?: string } | undefined)?.LastUpdatedTime ?? 0),
  ).toISOString()
}
