import { auditPolicies } from '../../payables/audit-policies/record.ts'
import { auditInvoice, decideInvoice } from '../../payables/carrier-invoices/actions.ts'
import { createInvoice } from '../../payables/carrier-invoices/received/creating.ts'
import type { Decision, InvoiceLine, NewCarrierInvoice } from '../../payables/carrier-invoices/received/model.ts'
import type { Context } from '../../platform/context.ts'
import { createRecord } from '../../platform/resource/actions.ts'
import type { Settings } from '../../settings.ts'
import type { Freight, Payee } from './moving/freight.ts'
import { billedAt, type Charge, chargesOf, currencyOf, itemTypes, laneOf } from './moving/lanes.ts'
import { keepPaper, pdfOf } from './papers.ts'

type Arrived = {
  trip: number
  /** How the lines differ from what was agreed. */
  lines?: (agreed: readonly Charge[]) => Charge[]
  /** The number of the bill of the trip, once more. */
  again?: true
  source: NewCarrierInvoice['source']
  /** Without it the invoice does not say which load it is for. */
  unnamed?: true
  unaudited?: true
  decided?: readonly [Decision, { note?: string; amount?: number }][]
}

const extra = (type: Charge['type'], description: string, unit_price: number, quantity = 1): Charge => ({
  type,
  description,
  unit_price,
  quantity,
})
const dearer = (type: Charge['type'], percent: number) => (agreed: readonly Charge[]) =>
  agreed.map((charge) =>
    charge.type === type ? { ...charge, unit_price: Math.round((charge.unit_price * (100 + percent)) / 100) } : charge,
  )

/** In the order in which they came. Trips 24 to 34 are billed already, 35 to 39 have drafts, and those after them are on the road. */
const arrived: readonly Arrived[] = [
  { trip: 31, again: true, source: 'upload', decided: [['reject', { note: 'Sent twice. The carrier knows.' }]] },
  { trip: 35, source: 'edi' },
  {
    trip: 42,
    source: 'email',
    lines: (agreed) => [...agreed, extra('TONU', 'Truck ordered, not used', 15_000)],
    decided: [['short_pay', { note: 'The truck was used. Paid as agreed.' }]],
  },
  { trip: 36, source: 'email' },
  { trip: 37, source: 'edi', lines: dearer('LH', 1) },
  {
    trip: 38,
    source: 'upload',
    lines: (agreed) => [...dearer('LH', 8)(agreed), extra('LUM', 'Lumper, no receipt', 18_500)],
  },
  {
    trip: 39,
    source: 'email',
    lines: dearer('FSC', 12),
    decided: [['dispute', { note: 'Asked the carrier for the fuel table of that week.' }]],
  },
  { trip: 33, again: true, source: 'edi' },
  { trip: 43, source: 'email', unnamed: true },
  { trip: 41, source: 'upload', lines: (agreed) => [...agreed, extra('DET', 'Detention at pickup', 6_500, 4)] },
  { trip: 40, source: 'api', unaudited: true },
]

/** Those of which an invoice comes and the proof of delivery is there. */
const delivered = [35, 36, 37, 38, 39]

/** Two audit policies, and invoices of carriers in every state. */
export async function fillPayables(ctx: Context, settings: Settings, { payees, manifests }: Freight): Promise<void> {
  const trusted = payees.find(({ scac }) => scac === 'KYSD') as Payee
  await createRecord(ctx, auditPolicies, { over_percent: '2', over_amount: 2_500, under_percent: '100' })
  await createRecord(ctx, auditPolicies, {
    partner_carrier_id: trusted.id,
    over_percent: '3',
    under_percent: '100',
    approve_automatically: true,
  })
  for (const trip of delivered) await keepProof(ctx, settings, trip, manifests.get(trip) as string)
  for (const one of arrived) await receive(ctx, settings, one, payees[one.trip % payees.length] as Payee)
}

async function keepProof(ctx: Context, settings: Settings, trip: number, id: string): Promise<void> {
  const [from, to] = laneOf(trip)
  const bytes = pdfOf('Proof of delivery', [`${from} to ${to}, load TRIP-${5_497 + trip}`, 'Received in good order.'])
  await keepPaper(ctx, settings, { type: 'manifest', id }, { name: `pod-trip-${5_497 + trip}.pdf`, type: 'pod', bytes })
}

async function receive(ctx: Context, settings: Settings, one: Arrived, payee: Payee): Promise<void> {
  const { trip, again, source, unnamed, unaudited, decided = [] } = one
  const charges = one.lines?.(chargesOf(trip)) ?? chargesOf(trip)
  const invoice_number = again ? `INV ${7_310 + trip * 7}` : `${payee.scac}-${88_000 + trip * 3}`
  const load = `TRIP-${5_497 + trip}`
  const invoice_date = new Date(Math.min(billedAt(Math.min(trip, 39)).getTime(), Date.now())).toISOString().slice(0, 10)
  const { id } = await createInvoice(ctx, {
    ...{
      partner_carrier_id: payee.id,
      invoice_number,
      invoice_date,
      currency_id: currencyOf(trip),
      source: source ?? 'api',
    },
    reference_number: unnamed ? null : load,
    lines: charges.map(lineOf),
  })
  const [from, to] = laneOf(trip)
  const paper = pdfOf(`Invoice ${invoice_number}`, [
    payee.company,
    `${from} to ${to}${unnamed ? '' : `, load ${load}`}`,
    ...charges.map(
      ({ description, unit_price, quantity }) => `${description}: ${((unit_price * quantity) / 100).toFixed(2)}`,
    ),
    'Remit within terms.',
  ])
  const name = `${invoice_number.toLowerCase().replace(' ', '-')}.pdf`
  await keepPaper(ctx, settings, { type: 'carrier_invoice', id }, { name, type: 'invoice', bytes: paper })
  const invoice = { by: 'id', id } as const
  if (!unaudited) await auditInvoice(ctx, invoice, null)
  for (const [decision, said] of decided) await decideInvoice(ctx, invoice, decision, said, null)
}

function lineOf({ type, description, unit_price, quantity }: Charge): InvoiceLine {
  const unit = type === 'FSC' ? 'mile' : type === 'DET' ? 'hour' : 'each'
  return { type: itemTypes[type][0], description, quantity, unit, unit_price, amount: unit_price * quantity }
}
