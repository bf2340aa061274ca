import type { NewCredit } from '../../books/credits/kind.ts'
import type { Status } from '../../books/documents/model/fields/lifecycle.ts'
import { createDocument, moveDocument } from '../../books/documents/writing/actions.ts'
import { upsertDocuments } from '../../books/documents/writing/bulk.ts'
import { moveInvoice, updateInvoice } from '../../books/kinds/invoices.ts'
import { bills, credits, invoices } from '../../books/kinds/kinds.ts'
import { invoiceOrder } from '../../freight/billing/actions.ts'
import type { Context } from '../../platform/context.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import type { Freight, Shipper } from './moving/freight.ts'
import { billedAt, currencyOf, freightOf, laneOf } from './moving/lanes.ts'
import { paidWith } from './paid-with.ts'

const day = 86_400_000
/** The trips that are invoiced; what was delivered after them is still to be. */
const invoiced = 36

const remitTo = {
  company_name: 'Blue Ridge Freight Brokers',
  contact_name: 'Accounts receivable',
  address_1: '120 Depot St',
  city: 'Asheville',
  state: 'NC',
  postal: '28801',
  country: 'US',
}

/** An invoice for every trip but the youngest, in the states that fit their dates, and some credits on both sides. */
export async function fillReceivables(
  ctx: Context,
  { shippers, orders, payees }: Freight,
  payTerms: ReadonlyMap<string, string>,
): Promise<void> {
  const trips = Array.from({ length: invoiced }, (_, trip) => trip)
  const shipperOf = (trip: number) => shippers.find(({ at }) => at === laneOf(trip)[0]) as Shipper
  const older = trips.filter((trip) => !orders.has(trip))
  const rows = older.map((trip) => invoiceOf(trip, shipperOf(trip), payTerms))
  const { outcomes } = await upsertDocuments(ctx, invoices, rows, { mode: 'all_or_nothing' })
  for (const { refusal } of outcomes) if (refusal) throw refusal
  for (const trip of older) {
    const { paid_at } = stateOf(trip, shipperOf(trip))
    if (paid_at)
      await moveDocument(ctx, invoices, external(`SI-${30_400 + trip}`), 'pay', { paid_at, ...paidWith(trip) }, null)
  }
  for (const [trip, order] of orders) {
    const said = { ...aboutInvoice(trip), pay_term_id: payTerms.get(shipperOf(trip).payTerm) as string }
    const { id } = await invoiceOrder(ctx, { by: 'id', id: order }, null, () => {}, said)
    await bringTo(ctx, { by: 'id', id }, stateOf(trip, shipperOf(trip)))
  }
  await fillCredits(ctx, { shippers, payees })
  // Two customers have paid a part of what they owe for long, and so have we of a bill in dispute.
  for (const trip of [12, 22])
    await moveDocument(
      ctx,
      invoices,
      external(`SI-${30_400 + trip}`),
      'pay',
      { amount: 60_000, paid_at: paidAt(trip), ...paidWith(trip) },
      null,
    )
  await moveDocument(
    ctx,
    bills,
    external('PRO-20410'),
    'pay',
    { amount: 50_000, paid_at: paidAt(10), ...paidWith(10) },
    null,
  )
}

function external(external_id: string): Reference {
  return { by: 'external_id', external_id }
}

function paidAt(trip: number): string {
  return new Date(billedAt(trip).getTime() + 20 * day).toISOString()
}

async function fillCredits(ctx: Context, { shippers, payees }: Pick<Freight, 'shippers' | 'payees'>): Promise<void> {
  const [shipper, other] = shippers as [Shipper, Shipper]
  const damage = {
    direction: 'in' as const,
    customer_id: shipper.id,
    reference_number: 'CLAIM-218',
    notes: 'Two pallets arrived damaged.',
  }
  await makeCredit(
    ctx,
    0,
    { ...damage, items: [{ description: 'Damaged freight, two pallets', unit_price: 42_500 }] },
    ['save', 'send'],
  )
  const late = {
    direction: 'in' as const,
    customer_id: other.id,
    notes: 'Delivered a day late, agreed with the customer.',
  }
  await makeCredit(ctx, 1, { ...late, items: [{ description: 'Late delivery', unit_price: 15_000 }] }, [])
  const fuel = { direction: 'out' as const, partner_carrier_id: payees[0]?.id as string, reference_number: 'CM-88' }
  await makeCredit(ctx, 2, { ...fuel, items: [{ description: 'Fuel surcharge billed twice', unit_price: 31_680 }] }, [
    'save',
  ])
}

/** An invoice from before the orders that are in the demo. */
function invoiceOf(trip: number, shipper: Shipper, payTerms: ReadonlyMap<string, string>) {
  const [from, to] = laneOf(trip)
  return {
    ...aboutInvoice(trip),
    ...unpaid(stateOf(trip, shipper)),
    customer_id: shipper.id,
    currency_id: currencyOf(trip),
    pay_term_id: payTerms.get(shipper.payTerm) as string,
    reference_number: `PO-${76_300 + trip * 17}`,
    send_to_email: shipper.email,
    bill_to: shipper.billTo,
    items: [{ description: `Freight ${from} to ${to}`, unit_price: freightOf(trip) }],
  }
}

function aboutInvoice(trip: number) {
  return { external_id: `SI-${30_400 + trip}`, invoice_date: billedAt(trip).toISOString(), remit_to: remitTo }
}

type State = { status_id: Status; sent_at?: string; paid_at?: string }

/** The youngest are drafts, then saved. The older ones were sent on the next day; most were paid around their due date, and a few customers are late. */
function stateOf(trip: number, { payTerm }: Shipper): State {
  if (trip >= invoiced - 2) return { status_id: 'draft' }
  if (trip >= invoiced - 5) return { status_id: 'saved' }
  const date = billedAt(trip).getTime()
  const sent_at = new Date(date + day).toISOString()
  const due = date + (payTerm === 'Net 45' ? 45 : 30) * day
  const isLate = trip % 5 === 2
  if (isLate) return { status_id: trip > 15 ? 'edited' : 'sent', sent_at }
  return due < Date.now() - 3 * day
    ? { status_id: 'paid', sent_at, paid_at: new Date(due + ((trip % 6) - 3) * day).toISOString() }
    : { status_id: 'sent', sent_at }
}

/** It is paid afterwards, by a payment that says how. */
function unpaid({ paid_at, ...state }: State): State {
  return paid_at ? { ...state, status_id: 'sent' } : state
}

async function bringTo(ctx: Context, invoice: Reference, { status_id, sent_at }: State): Promise<void> {
  if (status_id === 'draft') return
  await moveInvoice(ctx, invoice, 'save', {}, null)
  if (sent_at) await moveInvoice(ctx, invoice, 'send', { sent_at }, null)
  if (status_id === 'edited')
    await updateInvoice(ctx, invoice, { notes: 'The customer asked for the proof of delivery.' }, null)
}

async function makeCredit(ctx: Context, index: number, credit: NewCredit, moves: ('save' | 'send')[]): Promise<void> {
  const { id } = await createDocument(ctx, credits, {
    external_id: `CM-${4_100 + index}`,
    credit_date: new Date(Math.floor(Date.now() / day - (24 - 9 * index)) * day).toISOString(),
    currency_id: 'usd',
    ...credit,
  })
  for (const move of moves) await moveDocument(ctx, credits, { by: 'id', id }, move, {}, null)
}
