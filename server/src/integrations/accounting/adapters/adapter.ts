import type { ConnectorSettings, RemoteList } from '../catalogue.ts'

/** A line as it goes out. Amounts are in the minor unit of the currency. */
export type OutgoingLine = {
  type: string | null
  description: string | null
  quantity: number
  unit_price: number
  amount: number
  account: string | null
  tax_code: string | null
  tax: number
}

/** A bill or an invoice as every accounting system understands it, with the ids of the other side. */
export type OutgoingDocument = {
  type: 'bill' | 'invoice'
  id: string
  number: string
  reference_number: string | null
  date: string
  due_date: string | null
  currency: string
  decimals: number
  party: { name: string; remote_id: string | null }
  pay_term: string | null
  notes: string | null
  lines: OutgoingLine[]
  /** A tax that was entered by hand and belongs to no line. */
  hand_tax: number
  total: number
}

/**
 * A payment as it goes out: whole, or, where a payment there settles one document only, what of it settles one. `id` is accordingly that of the payment or of
 * the allocation. Amounts are in the minor unit of the currency.
 */
export type OutgoingPayment = {
  id: string
  payment_id: string
  direction: 'out' | 'in'
  number: string
  reference_number: string | null
  date: string
  currency: string
  decimals: number
  party: string | null
  /** Where the money comes from or goes to. */
  account: string
  amount: number
  parts: { type: 'bill' | 'invoice'; remote_id: string; amount: number }[]
}

/** What is known of a record there. */
export type RemoteRecord = { remote_id: string; version: string | null }

/** A payment that was made there, with the documents there that it settles. */
export type IncomingPayment = {
  remote_id: string
  version: string
  is_deleted: boolean
  direction: 'out' | 'in'
  date: string
  method: 'check' | 'card' | 'other'
  reference_number: string | null
  /** The end of the id of our own record, where it was sent from here. */
  mark: string | null
  /** In decimals, as the other side writes them. */
  parts: { type: 'bill' | 'invoice'; remote_id: string; amount: number }[]
  /** What of the parts is settled by credits, so that no money moved for it; in decimals. Missing in what was kept by earlier versions. */
  credit?: number
}

export type RemoteEntry = { id: string; name: string; detail: string | null; is_active: boolean }

export type Application = { clientId: string; clientSecret: string }
export type Tokens = { access_token: string; refresh_token: string; expires_at: number }

/** Where a service is. One address for all of it is a setting, for proxies and tests; else its own. */
export type Addresses = { api: string; authorize: string; token: string }

/** Makes requests with the token of a connection, and renews that where it is refused. */
export type Client = {
  settings: ConnectorSettings
  /** The company or the tenant. */
  remoteId: string
  addresses: Addresses
  /** Where our own records are, to name them there. */
  publicUrl: string
  ask(path: string, options?: { method?: string; headers?: Record<string, string>; body?: unknown }): Promise<unknown>
}

/** How requests are made to the service of an online connector. Whatever it cannot do is thrown as a `RemoteFault`. */
export type Adapter = {
  id: string
  /** Requests in a minute that the other side allows. */
  perMinute: number
  addresses(base: string | null): Addresses
  scope: string
  /** Which company or tenant the tokens are for. `given` is what came back with the code. */
  identify(
    client: Client,
    given: { realm_id?: string | undefined },
  ): Promise<{ remote_id: string; remote_name: string }>
  list(client: Client, list: RemoteList): Promise<RemoteEntry[]>
  /** A document that we sent before, whose answer was lost. */
  find(client: Client, document: OutgoingDocument): Promise<RemoteRecord | null>
  /** What it is now there; null where it is gone. */
  read(client: Client, type: OutgoingDocument['type'], remoteId: string): Promise<RemoteRecord | null>
  create(client: Client, document: OutgoingDocument, requestId: string): Promise<RemoteRecord>
  update(client: Client, document: OutgoingDocument, known: RemoteRecord, requestId: string): Promise<RemoteRecord>
  /** Takes it out of the books there: deleted or voided, as the other side has it. */
  remove(client: Client, type: OutgoingDocument['type'], known: RemoteRecord, requestId: string): Promise<void>
  payments: PaymentsAdapter
}

/** How payments are read and written there. Their ids are those of `IncomingPayment`. */
export type PaymentsAdapter = {
  /** Whether a payment there settles one document: then each allocation is one. */
  isPerDocument: boolean
  /** Whether it keeps what of a payment in this direction settles nothing yet. */
  keepsRest(direction: 'out' | 'in'): boolean
  /** A payment that we sent before, whose answer was lost: one that was made or changed since. */
  find(client: Client, payment: Pick<OutgoingPayment, 'id' | 'direction'>, since: string): Promise<RemoteRecord | null>
  /** What it is now there; null where it is gone. */
  read(client: Client, remoteId: string): Promise<RemoteRecord | null>
  create(client: Client, payment: OutgoingPayment, requestId: string): Promise<RemoteRecord>
  /** Null where payments there cannot be changed: then it is taken out and made anew. */
  update:
    | ((client: Client, payment: OutgoingPayment, known: RemoteRecord, requestId: string) => Promise<RemoteRecord>)
    | null
  remove(client: Client, known: RemoteRecord, requestId: string): Promise<void>
  /** Payments that were made, changed or deleted since, and from when to ask the next time. */
  since(client: Client, since: string): Promise<{ payments: IncomingPayment[]; until: string }>
}

/** So much of the end of an id is in a mark: enough to tell it from all others that may be under way. */
export const markLength = 8

/**
 * `refused`: it said no, and why. `stale`: the version that it was given is not the current one. `gone`: the record is not there any more. `busy`: it asks
 * to come back later. `no_answer`: nobody knows what it did. `sign_in`: the tokens are not good any more, and a person must sign in.
 */
export type FaultKind = 'refused' | 'stale' | 'gone' | 'busy' | 'no_answer' | 'sign_in'

export class RemoteFault extends Error {
  readonly kind: FaultKind
  readonly retryAfterMs: number

  constructor(kind: FaultKind, message: string, retryAfterMs = 0) {
    super(message)
    this.name = 'RemoteFault'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}

/** An amount in the minor unit as the decimal number that JSON of accounting systems has. */
export function decimal(amount: number, decimals: number): number {
  return Number((amount / 10 ** decimals).toFixed(decimals))
}

/** A tax that was entered by hand, where the other side has no place for it but a line. */
export function handTaxLine(amount: number, account: string | null): OutgoingLine {
  return { type: null, description: 'Tax', quantity: 1, unit_price: amount, amount, account, tax_code: null, tax: 0 }
}
