import { extensions } from '../../../freight/extension.ts'
import { createJoinedUser } from '../../../identity/users/actions.ts'
import { askAboutBill } from '../../../integrations/partner-portal/questions/actions.ts'
import { counterTender, createTender } from '../../../integrations/partner-portal/tenders/actions.ts'
import { actingAs, type Context } from '../../../platform/context.ts'
import { createObject } from '../../../records/single/actions.ts'
import type { Payee, Shipper } from './freight.ts'

/** A bill of the first carrier that is sent and not paid. */
const asked = 30

type Login = { email: string; password: string }
type Known = { payees: readonly Payee[]; shippers: readonly Shipper[]; bills: readonly string[] }

const day = 86_400_000

/** A dispatcher of the first carrier who can sign in to the partner portal, a trip that is offered to two carriers, and a question about a bill. */
export async function fillPartners(ctx: Context, login: Login, { payees, shippers, bills }: Known): Promise<void> {
  const [first, second] = payees as [Payee, Payee]
  const name = 'Lee Park'
  const { id } = await createJoinedUser(ctx, { ...login, name, role: 'partner', partner_carrier_id: first.id })
  const manifest_id = await makeTrip(ctx, shippers)
  const offer = { manifest_id, rate: 172_500, currency_id: 'usd', expires_in: 2 * 86_400 }
  await createTender(
    ctx,
    { ...offer, partner_carrier_id: first.id, message: 'Live unload, dock appointment in the morning.' },
    null,
  )
  const other = await createTender(ctx, { ...offer, partner_carrier_id: second.id }, null)
  await counterTender(
    ctx,
    other.id,
    { rate: 189_000, answer: 'The truck comes back empty, so this is what we need.' },
    null,
  )
  await askAboutBill(actingAs(ctx, { type: 'user', id }), {
    ...{
      bill: bills[asked] as string,
      carrier: first.id,
      author_name: name,
      text: 'Two hours of detention at the pickup are missing. Will they come with another bill?',
    },
  })
}

/** A trip that looks for a carrier, with its order. */
async function makeTrip(ctx: Context, shippers: readonly Shipper[]): Promise<string> {
  const [start, end] = [new Date(Date.now() + 4 * day).toISOString(), new Date(Date.now() + 5 * day).toISOString()]
  const pickup = {
    companyName: 'Cross-dock',
    address1: '410 Depot Street',
    city: 'Knoxville',
    state: 'TN',
    country: 'US',
  }
  const delivery = {
    companyName: 'Cross-dock',
    address1: '77 Commerce Way',
    city: 'Richmond',
    state: 'VA',
    country: 'US',
  }
  const named = { currency: 'usd', status: 'planned' }
  const order = await createObject(
    ctx,
    'order',
    {
      ...named,
      externalId: 'SO-5600',
      customerId: shippers[0]?.id,
      pickup,
      pickupAt: start,
      delivery,
      deliverBy: end,
      commodity: 'Bottled water',
      weight: 19_200,
      weightUnit: 'kg',
      equipmentType: 'dry_van',
      rate: 215_000,
    },
    { extensions },
  )
  const stops = [
    { kind: 'pickup', address: pickup, windowStart: start, orderId: order.id },
    { kind: 'delivery', address: delivery, windowEnd: end, orderId: order.id },
  ]
  const way = { start: pickup, startAt: start, end: delivery, endAt: end, distance: 690 }
  const manifest = await createObject(
    ctx,
    'manifest',
    { ...named, externalId: 'TRIP-5600', referenceNumber: 'TRIP-5600', orderIds: [order.id], stops, ...way },
    { extensions },
  )
  return manifest.id
}
