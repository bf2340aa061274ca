import { uncheckedExtensions } from '../../../freight/extension.ts'
import type { Context } from '../../../platform/context.ts'
import { writeObjects } from '../../../records/bulk/actions.ts'
import { customers, services } from './customers.ts'
import {
  billedAt,
  type Carrier,
  type City,
  carriers,
  chargesOf,
  chargesToCustomer,
  currencyOf,
  freightOf,
  itemTypes,
  laneOf,
  placeOf,
} from './lanes.ts'
import { fillPositions, stopsFor } from './positions.ts'

/** The trips whose bills name a manifest; those after them are still on the road, or will be. */
const firstTrip = 24
const billed = 16
/** Of these the customers have their invoices. */
const invoiced = 12
const underway = ['in_transit', 'in_transit', 'dispatched', 'planned'] as const
const trips = billed + underway.length
const day = 86_400_000

export type Payee = Carrier & { id: string }
/** A customer, and what its invoices need to know of it. */
export type Shipper = { id: string; at: City; payTerm: string; email: string; billTo: Record<string, string> }
/** The carriers and the customers, the manifests that are to be billed and the orders that are to be invoiced, by trip. */
export type Freight = {
  payees: Payee[]
  shippers: Shipper[]
  /** The trucks of each carrier. */
  units: string[][]
  manifests: ReadonlyMap<number, string>
  orders: ReadonlyMap<number, string>
}

/** Customers and carriers, what moves between them and on what: each refers to what is there. */
export async function fillFreight(ctx: Context): Promise<Freight> {
  const parties = await make(ctx, [
    ...customers.map(customerRow),
    ...carriers.map(partnerRow),
    ...services.map(serviceRow),
  ])
  const customerIds = parties.slice(0, customers.length)
  const partnerIds = parties.slice(customers.length, customers.length + carriers.length)
  const serviceIds = parties.slice(-services.length)
  const units = carriers.flatMap(({ trucks }, carrier) => trucks.map((type) => ({ carrier, type })))
  const made = await make(ctx, [
    ...customers.map((customer, index) => contactRow(customer, 'customerId', customerIds[index] as string)),
    ...carriers.map(({ company: _, ...carrier }, index) =>
      contactRow({ ...carrier, title: 'Dispatcher' }, 'partnerId', partnerIds[index] as string),
    ),
    ...units.map(({ carrier, type }, index) => equipmentRow(index, type, partnerIds[carrier] as string)),
    ...Array.from({ length: 10 }, (_, index) => quoteRow(index, customerIds)),
  ])
  const quoteIds = made.slice(-10)
  const equipmentIds = made.slice(customers.length + carriers.length, -10)
  const each = Array.from({ length: trips }, (_, index) => index)
  const orderIds = await make(
    ctx,
    each.map((index) =>
      orderRow(index, {
        customerIds,
        serviceId: serviceIds[index % 3] as string,
        quoteId: quoteIds[index - trips + 6] ?? null,
      }),
    ),
  )
  const unitsOf = carriers.map((_, carrier) => equipmentIds.filter((_, index) => units[index]?.carrier === carrier))
  const manifestIds = await make(
    ctx,
    each.map((index) => {
      const carrier = (firstTrip + index) % carriers.length
      return manifestRow(index, customerIds, {
        partnerId: partnerIds[carrier] as string,
        equipmentId: unitsOf[carrier]?.[0] as string,
        orderId: orderIds[index] as string,
      })
    }),
  )
  await make(
    ctx,
    each.map((index) => legRow(index, manifestIds[index] as string, orderIds[index] as string)),
  )
  for (const index of each.filter((index) => stateOf(index) === 'in_transit')) {
    const [from, to] = laneOf(firstTrip + index)
    await fillPositions(ctx, manifestIds[index] as string, {
      from: placeOf(from),
      to: placeOf(to),
      departed: departureOf(index),
    })
  }
  const payees = carriers.map((carrier, index) => ({ ...carrier, id: partnerIds[index] as string }))
  const shippers = customers.map((customer, index) => shipperOf(customer, index, customerIds[index] as string))
  const byTrip = (ids: readonly string[]) => new Map(ids.map((id, index) => [firstTrip + index, id]))
  return {
    payees,
    shippers,
    units: unitsOf,
    manifests: byTrip(manifestIds.slice(0, billed)),
    orders: byTrip(orderIds.slice(0, invoiced)),
  }
}

function shipperOf(
  { name, street, at, postal, contact, domain }: (typeof customers)[number],
  index: number,
  id: string,
): Shipper {
  const { city, state, country } = placeOf(at)
  return {
    id,
    at,
    payTerm: payTermOf(index),
    email: `ap@${domain}`,
    billTo: { company_name: name, contact_name: contact, address_1: street, city, state, postal, country },
  }
}

function payTermOf(customer: number): string {
  return customer % 3 === 0 ? 'Net 45' : 'Net 30'
}

type Row = { objectKey: string; json: Record<string, unknown> }

async function make(ctx: Context, rows: Row[]): Promise<string[]> {
  const { outcomes } = await writeObjects(ctx, rows, {
    extensions: uncheckedExtensions,
    mode: 'all_or_nothing',
    source: 'manual',
  })
  return outcomes.map(({ id, refusal }) => {
    if (refusal || id === null) throw refusal ?? new Error('the demo made nothing of a row')
    return id
  })
}

function customerRow({ name, street, at, postal, contact, domain }: (typeof customers)[number], index: number): Row {
  const place = { ...placeOf(at), address: street, postal }
  const terms = { currency: 'usd', creditLimit: (10 + index * 5) * 100_000, payTerm: payTermOf(index) }
  const json = {
    name,
    externalId: `ERP-${1_001 + index}`,
    ...place,
    contactName: contact,
    email: `ap@${domain}`,
    phone: phone(index),
    website: `https://${domain}`,
  }
  return {
    objectKey: 'customer',
    json: { ...json, ...terms, ...(index === 9 && { status: 'inactive', notes: 'Ships again from spring.' }) },
  }
}

function partnerRow(
  { company, contact, street, city, state, postal, domain, scac, mc, trucks }: Carrier,
  index: number,
): Row {
  const remitTo = { companyName: company, contactName: contact, address1: street, city, state, postal, country: 'US' }
  const known = {
    partnerType: 'carrier',
    scac,
    mcNumber: mc,
    dotNumber: String(2_217_845 + index * 3_301),
    currency: 'usd',
    payTerm: 'Net 30',
  }
  const json = {
    name: company,
    externalId: `CAR-${301 + index}`,
    ...known,
    contactName: contact,
    email: `dispatch@${domain}`,
    phone: phone(40 + index),
  }
  const where = { address: street, city, state, postal, country: 'US', remitTo }
  return {
    objectKey: 'partner',
    json: { ...json, ...where, insuranceExpiresOn: dateIn(90 + index * 35), equipmentTypes: [...trucks] },
  }
}

function serviceRow([code, name, serviceType, price]: (typeof services)[number]): Row {
  return {
    objectKey: 'service',
    json: { name, code, externalId: code, serviceType, currency: 'usd', price, taxable: false },
  }
}

function contactRow(
  who: { contact: string; title: string; domain: string },
  at: 'customerId' | 'partnerId',
  id: string,
): Row {
  const [first = ''] = who.contact.toLowerCase().split(' ')
  const json = {
    name: who.contact,
    jobTitle: who.title,
    email: `${first}@${who.domain}`,
    language: 'en',
    notify: at === 'customerId' ? ['delivery', 'delay'] : ['pickup'],
  }
  return { objectKey: 'contact', json: { ...json, [at]: id } }
}

function equipmentRow(index: number, equipmentType: string, partnerId: string): Row {
  const built = {
    make: index % 2 ? 'Wabash' : 'Utility',
    year: 2017 + (index % 7),
    capacity: 20_400,
    inspectionDueOn: dateIn(20 + index * 23),
  }
  return {
    objectKey: 'equipment',
    json: {
      unitNumber: `T-${104 + index * 3}`,
      equipmentType,
      partnerId,
      ...built,
      ...(index === 5 && { status: 'maintenance' }),
    },
  }
}

const quoteStates = [
  'accepted',
  'accepted',
  'accepted',
  'accepted',
  'accepted',
  'accepted',
  'sent',
  'active',
  'declined',
  'expired',
] as const

/** The first six became the youngest orders. */
function quoteRow(index: number, customerIds: readonly string[]): Row {
  const trip = trips - 6 + index
  const json = {
    ...haulOf(trip, customerIds),
    referenceNumber: `RFQ-${880 + index}`,
    status: quoteStates[index],
    validUntil: dateIn(index === 9 ? -5 : 14),
  }
  return { objectKey: 'quote', json }
}

type Named = { customerIds: readonly string[]; serviceId: string; quoteId: string | null }

function orderRow(index: number, { customerIds, serviceId, quoteId }: Named): Row {
  const state = {
    in_transit: 'in_transit',
    dispatched: 'planned',
    planned: 'planned',
    completed: index < invoiced ? 'invoiced' : 'delivered',
  }[stateOf(index)]
  const named = {
    externalId: `SO-${5_510 + index}`,
    referenceNumber: `PO-${77_120 + index * 13}`,
    status: state,
    serviceId,
    quoteId,
  }
  const charges = chargesToCustomer(firstTrip + index).map(({ type, unit_price, ...charge }) => ({
    ...charge,
    type: itemTypes[type][0],
    unitPrice: unit_price,
  }))
  return {
    objectKey: 'order',
    json: { ...haulOf(index, customerIds), ...named, charges: stateOf(index) === 'completed' ? charges : [] },
  }
}

/** From the customer at the beginning of the lane to one at its end, if there is one there. */
function haulOf(index: number, customerIds: readonly string[]) {
  const [from, to] = laneOf(firstTrip + index)
  const shipper = customers.findIndex(({ at }) => at === from)
  const consignee = customers.find(({ at }) => at === to)
  const { name, street, postal, goods, equipment } = customers[shipper] as (typeof customers)[number]
  const { start, end } = timesOf(index)
  return {
    customerId: customerIds[shipper],
    pickup: { companyName: name, address1: street, postal, ...placeOf(from) },
    pickupAt: start.toISOString(),
    delivery: {
      companyName: consignee?.name ?? 'Cross-dock',
      ...(consignee && { address1: consignee.street, postal: consignee.postal }),
      ...placeOf(to),
    },
    deliverBy: end.toISOString(),
    commodity: goods,
    pieces: 18 + (index % 7),
    weight: 14_200 + index * 310,
    weightUnit: 'kg',
    equipmentType: equipment,
    ...(equipment === 'reefer' && { temperature: 2 }),
    hazardous: goods.startsWith('Lithium'),
    currency: currencyOf(firstTrip + index),
    rate: freightOf(firstTrip + index),
  }
}

function manifestRow(
  index: number,
  customerIds: readonly string[],
  { orderId, ...by }: { partnerId: string; equipmentId: string; orderId: string },
): Row {
  const [from, to, miles] = laneOf(firstTrip + index)
  const { start, end } = timesOf(index)
  const paymentItems = chargesOf(firstTrip + index).map(({ type, description, unit_price, quantity }) => ({
    type: itemTypes[type][0],
    description,
    unitPrice: unit_price,
    quantity,
  }))
  const way = {
    start: placeOf(from),
    startAt: start.toISOString(),
    end: placeOf(to),
    endAt: end.toISOString(),
    distance: kilometres(miles),
  }
  const named = {
    externalId: `TRIP-${5_521 + index}`,
    referenceNumber: `TRIP-${5_521 + index}`,
    status: stateOf(index),
    driverName: drivers[index % drivers.length],
  }
  const { pickup, delivery } = haulOf(index, customerIds)
  const stops = stopsFor({ orderId, pickup, delivery, start, end, departed: departureOf(index), state: stateOf(index) })
  return {
    objectKey: 'manifest',
    json: {
      ...named,
      ...by,
      orderIds: [orderId],
      stops,
      ...way,
      currency: currencyOf(firstTrip + index),
      paymentItems,
    },
  }
}

const drivers = ['Sam Ortiz', 'Joanna Fields', 'Mick Barlow', 'Teresa Nguyen', 'Darnell Price'] as const

function legRow(index: number, manifestId: string, orderId: string): Row {
  const [from, to, miles] = laneOf(firstTrip + index)
  const { start, end } = timesOf(index)
  const status = { completed: 'completed', in_transit: 'in_transit', dispatched: 'planned', planned: 'planned' }[
    stateOf(index)
  ]
  const way = {
    origin: placeOf(from),
    departAt: start.toISOString(),
    destination: placeOf(to),
    arriveAt: end.toISOString(),
    distance: kilometres(miles),
  }
  return {
    objectKey: 'leg',
    json: { name: `${from} to ${to}`, manifestId, orderId, sequence: 1, legType: 'line_haul', status, ...way },
  }
}

function stateOf(index: number): 'completed' | (typeof underway)[number] {
  return underway[index - billed] ?? 'completed'
}

/** Billed two days after it ended; those under way began six hours ago or before, the others begin tomorrow or later. */
function timesOf(index: number): { start: Date; end: Date } {
  const end =
    index < billed ? billedAt(firstTrip + index).getTime() - 2 * day : Date.now() + (index - billed + 0.5) * day
  const latest = stateOf(index) === 'in_transit' ? Date.now() - day / 4 : end
  return { start: new Date(Math.min(end - 1.5 * day, latest)), end: new Date(end) }
}

/** Two hours after it began. */
function departureOf(index: number): Date {
  return new Date(timesOf(index).start.getTime() + day / 12)
}

function kilometres(miles: number): number {
  return Math.round(miles * 16.09344) / 10
}

function dateIn(days: number): string {
  return new Date(Date.now() + days * day).toISOString().slice(0, 10)
}

function phone(index: number): string {
  return `+1 828 555 ${String(100 + index).padStart(4, '0')}`
}
