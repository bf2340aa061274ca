import { createBillItemType } from '../billing/bill-item-types/actions.ts'
import { advanceBill, createBill, updateBill } from '../billing/bills/actions.ts'
import type { NewLine } from '../billing/bills/line-model.ts'
import { advanceConsolidatedBill, createConsolidatedBill } from '../billing/consolidated-bills/actions.ts'
import { createPayTerm } from '../billing/pay-terms/actions.ts'
import type { Context } from '../context.ts'
import { newId, type Reference } from '../core/ids.ts'

const itemTypes = [
  ['LH', 'Line haul', 'freight'],
  ['FSC', 'Fuel surcharge', 'freight'],
  ['DET', 'Detention', 'accessorial'],
  ['LUM', 'Lumper', 'accessorial'],
  ['LAY', 'Layover', 'accessorial'],
  ['TONU', 'Truck ordered, not used', 'accessorial'],
  ['STOP', 'Stop-off', 'accessorial'],
  ['ADV', 'Cash advance', 'deduction'],
] as const

const terms = [
  ['Quick pay', 2, 'QUICK'],
  ['Net 15', 15, 'NET15'],
  ['Net 30', 30, 'NET30'],
  ['Net 45', 45, 'NET45'],
] as const

const carriers = [
  {
    company: 'Cascade Carriers LLC',
    contact: 'Dana Whitfield',
    street: '4410 Industrial Way',
    city: 'Portland',
    state: 'OR',
    postal: '97210',
    domain: 'cascadecarriers.example',
  },
  {
    company: 'High Plains Transport',
    contact: 'Luis Ferrer',
    street: '88 Grain Elevator Rd',
    city: 'Amarillo',
    state: 'TX',
    postal: '79118',
    domain: 'highplains.example',
  },
  {
    company: 'Great Lakes Haulage Inc.',
    contact: 'Marcy Kowalski',
    street: '2210 Harbor Dr',
    city: 'Toledo',
    state: 'OH',
    postal: '43605',
    domain: 'glhaulage.example',
  },
  {
    company: 'Palmetto Freight Lines',
    contact: 'Andre Simmons',
    street: '17 Terminal Ct',
    city: 'Savannah',
    state: 'GA',
    postal: '31408',
    domain: 'palmettofreight.example',
  },
  {
    company: 'Sierra Reefer Express',
    contact: 'Nina Park',
    street: '905 Cold Storage Blvd',
    city: 'Fresno',
    state: 'CA',
    postal: '93725',
    domain: 'sierrareefer.example',
  },
  {
    company: 'Keystone Dray & Drop',
    contact: 'Owen Doyle',
    street: '301 Container Ave',
    city: 'Harrisburg',
    state: 'PA',
    postal: '17111',
    domain: 'keystonedray.example',
  },
] as const

const lanes = [
  ['Portland, OR', 'Boise, ID', 431],
  ['Amarillo, TX', 'Denver, CO', 434],
  ['Toledo, OH', 'Nashville, TN', 452],
  ['Savannah, GA', 'Charlotte, NC', 253],
  ['Fresno, CA', 'Phoenix, AZ', 591],
  ['Harrisburg, PA', 'Columbus, OH', 365],
  ['Reno, NV', 'Salt Lake City, UT', 518],
  ['Kansas City, MO', 'Chicago, IL', 510],
] as const

const accessorials = [
  ['DET', 'Detention at delivery, after two free hours', 6500, 3],
  ['LUM', 'Lumper, receipt attached', 18000, 1],
  ['LAY', 'Layover, dock closed on arrival', 25000, 1],
  ['STOP', 'Extra stop', 7500, 1],
  ['ADV', 'Fuel advance paid at pickup', -40000, 1],
] as const

const billTo = {
  company_name: 'Blue Ridge Freight Brokers',
  contact_name: 'Accounts payable',
  address_1: '120 Depot St',
  city: 'Asheville',
  state: 'NC',
  postal: '28801',
  country: 'US',
}
const day = 86_400_000
const bills = 40

/** Forty bills in all five states, three statements, and what they are made of; dates lie around today. */
export async function fillBooks(ctx: Context): Promise<void> {
  const types = new Map<string, string>()
  for (const [external_id, name, class_] of itemTypes) types.set(external_id, (await createBillItemType(ctx, { external_id, name, class: class_ })).id)
  const payTerms: string[] = []
  for (const [name, number_of_days, vendor] of terms)
    payTerms.push((await createPayTerm(ctx, { name, number_of_days, connector_mappings: mappings(vendor) })).id)
  const payees = carriers.map((carrier) => ({ ...carrier, id: newId() }))
  for (let index = 0; index < bills; index++) await makeBill(ctx, index, payees, payTerms, types)
  for (const [index, steps] of [[], ['save', 'send'], ['save', 'send', 'pay']].entries())
    await makeStatement(ctx, payees[index]?.id as string, steps as ('save' | 'send' | 'pay')[])
}

function mappings(vendor: string) {
  return Object.fromEntries(['quickbooks', 'netsuite'].map((connector_id) => [connector_id, { connector_id, vendor_pay_term_id: vendor }]))
}

type Payee = (typeof carriers)[number] & { id: string }

async function makeBill(ctx: Context, index: number, payees: Payee[], payTerms: string[], types: Map<string, string>): Promise<void> {
  const payee = payees[index % payees.length] as Payee
  const { company, contact, street, city, state, postal, domain } = payee
  const age = 62 - index * 1.5
  const { id } = await createBill(ctx, {
    external_id: `PRO-${20_400 + index}`,
    currency_id: index % 11 === 10 ? 'cad' : 'usd',
    pay_term_id: payTerms[index % payTerms.length] as string,
    partner_carrier_id: payee.id,
    bill_date: new Date(Date.now() - age * day).toISOString(),
    reference_number: `INV-${7_310 + index * 7}`,
    bill_to: billTo,
    remit_to: { company_name: company, contact_name: contact, address_1: street, city, state, postal, country: 'US' },
    send_to_email: `billing@${domain}`,
    notes: index % 5 === 0 ? 'Proof of delivery on file.' : null,
    items: linesOf(index, types),
  })
  await bringTo(ctx, { by: 'id', id }, index)
}

function linesOf(index: number, types: Map<string, string>): NewLine[] {
  const [from, to, miles] = lanes[index % lanes.length] as (typeof lanes)[number]
  const type = (name: string) => types.get(name) as string
  const freight = { bill_item_type_id: type('LH'), description: `Line haul ${from} to ${to}, ${miles} mi`, unit_price: miles * (215 + (index % 7) * 9) }
  const fuel = { bill_item_type_id: type('FSC'), description: `Fuel surcharge, ${miles} mi`, unit_price: 48, quantity: miles }
  const extra = accessorials[index % (accessorials.length + 2)]
  return [freight, fuel, ...(extra ? [{ bill_item_type_id: type(extra[0]), description: extra[1], unit_price: extra[2], quantity: extra[3] }] : [])]
}

/** Old ones are paid, young ones drafts, and a few were changed after they had been sent. */
async function bringTo(ctx: Context, bill: Reference, index: number): Promise<void> {
  if (index >= 34) return
  await advanceBill(ctx, bill, 'save', {}, null)
  if (index >= 26) return
  await advanceBill(ctx, bill, 'send', {}, null)
  if (index < 12) await advanceBill(ctx, bill, 'pay', {}, null)
  else if (index % 4 === 0) await updateBill(ctx, bill, { notes: 'Rate corrected after a call with the carrier.' }, null)
}

async function makeStatement(ctx: Context, partner_carrier_id: string, steps: ('save' | 'send' | 'pay')[]): Promise<void> {
  const pay_period_start = new Date(Date.now() - 60 * day).toISOString()
  const { id } = await createConsolidatedBill(ctx, {
    partner_carrier_id,
    currency_id: 'usd',
    pay_period_start,
    pay_period_end: new Date().toISOString(),
    notes: 'Monthly statement',
  })
  for (const step of steps) await advanceConsolidatedBill(ctx, { by: 'id', id }, step, {}, null)
}
