import { billItemTypes } from '../../books/bill-item-types/record.ts'
import { createBill, moveBill, updateBill } from '../../books/kinds/bills.ts'
import { payTerms as payTermRecords } from '../../books/pay-terms/record.ts'
import { createConsolidatedBill, moveConsolidatedBill } from '../../books/settling/statements.ts'
import { billManifest } from '../../freight/billing/actions.ts'
import type { Context } from '../../platform/context.ts'
import type { Reference } from '../../platform/core/values/ids.ts'
import { createRecord } from '../../platform/resource/actions.ts'
import type { Freight, Payee } from './moving/freight.ts'
import { billedAt, chargesOf, currencyOf, itemTypes } from './moving/lanes.ts'
import { paidWith } from './paid-with.ts'

const terms = [
  ['Quick pay', 2, 'QUICK'],
  ['Net 15', 15, 'NET15'],
  ['Net 30', 30, 'NET30'],
  ['Net 45', 45, 'NET45'],
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

/** The pay terms by name, and the bills, the oldest first. */
export type Books = { terms: ReadonlyMap<string, string>; bills: string[] }

/** Statements, with how many days ago they were made. */
const statements: { age: number; steps: ('save' | 'send' | 'pay')[] }[] = [
  { age: 8, steps: [] },
  { age: 10, steps: ['save', 'send'] },
  { age: 20, steps: ['save', 'send', 'pay'] },
]

/** Forty bills of the last months, in the states that fit their dates, three statements, and what they are made of. */
export async function fillBooks(ctx: Context, { payees, manifests }: Freight): Promise<Books> {
  const types = new Map<string, string>()
  for (const [external_id, [name, class_]] of Object.entries(itemTypes))
    types.set(external_id, (await createRecord(ctx, billItemTypes, { external_id, name, class: class_ })).id)
  const payTerms: string[] = []
  for (const [name, number_of_days, vendor] of terms)
    payTerms.push(
      (await createRecord(ctx, payTermRecords, { name, number_of_days, connector_mappings: mappings(vendor) })).id,
    )
  const made: string[] = []
  for (let index = 0; index < bills; index++)
    made.push(await makeBill(ctx, index, { payees, manifest: manifests.get(index), payTerms, types }))
  for (const [index, { age, steps }] of statements.entries())
    await makeStatement(ctx, `SET-${4_410 + index}`, payees[index]?.id as string, { age, steps })
  return { terms: new Map(terms.map(([name], index) => [name, payTerms[index] as string])), bills: made }
}

/** Those of QuickBooks Online come with its connection. */
function mappings(vendor: string) {
  return { xero: { connector_id: 'xero', vendor_pay_term_id: vendor } }
}

type Around = { payees: Payee[]; manifest: string | undefined; payTerms: string[]; types: ReadonlyMap<string, string> }

async function makeBill(ctx: Context, index: number, { payees, manifest, payTerms, types }: Around): Promise<string> {
  const payee = payees[index % payees.length] as Payee
  const { company, contact, street, city, state, postal, domain } = payee
  const said = {
    external_id: `PRO-${20_400 + index}`,
    currency_id: currencyOf(index),
    pay_term_id: payTerms[index % payTerms.length] as string,
    partner_carrier_id: payee.id,
    bill_date: billedAt(index).toISOString(),
    reference_number: `INV-${7_310 + index * 7}`,
    bill_to: billTo,
    remit_to: { company_name: company, contact_name: contact, address_1: street, city, state, postal, country: 'US' },
    send_to_email: `billing@${domain}`,
    notes: index % 5 === 0 ? 'Proof of delivery on file.' : null,
  }
  const { id } = manifest
    ? await billManifest(ctx, { by: 'id', id: manifest }, null, () => {}, said)
    : await createBill(ctx, {
        ...said,
        items: chargesOf(index).map(({ type, ...charge }) => ({
          ...charge,
          bill_item_type_id: types.get(type) as string,
        })),
      })
  await bringTo(ctx, { by: 'id', id }, index)
  return id
}

/** The youngest are drafts, then saved. The older ones were sent on the day after; those that were due two weeks ago are paid, but for a few in dispute. */
async function bringTo(ctx: Context, bill: Reference, index: number): Promise<void> {
  if (index >= 35) return
  await moveBill(ctx, bill, 'save', {}, null)
  if (index >= 30) return
  const billed = billedAt(index).getTime()
  await moveBill(ctx, bill, 'send', { sent_at: new Date(billed + day).toISOString() }, null)
  const due = billed + (terms[index % terms.length]?.[1] as number) * day
  const isDisputed = index % 7 === 3
  const paid = Math.max(due + ((index % 5) - 2) * day, billed + 2 * day)
  if (!isDisputed && due < Date.now() - 14 * day)
    await moveBill(ctx, bill, 'pay', { paid_at: new Date(paid).toISOString(), ...paidWith(index) }, null)
  else if (isDisputed && index > 10)
    await updateBill(ctx, bill, { notes: 'Rate corrected after a call with the carrier.' }, null)
  await markExported(ctx, bill, index)
}

/** What the accounting system made of the older ones: one it refused, and those of the last weeks are to come. */
async function markExported(ctx: Context, bill: Reference, index: number): Promise<void> {
  const qb_exported_at = new Date(billedAt(index).getTime() + 2 * day).toISOString()
  if (index < 18) await updateBill(ctx, bill, { qb_external_id: String(1_180 + index), qb_exported_at }, null)
  if (index === 18)
    await updateBill(
      ctx,
      bill,
      { qb_error_msg: 'The vendor has no expense account in QuickBooks. Map the carrier, then sync again.' },
      null,
    )
}

async function makeStatement(
  ctx: Context,
  external_id: string,
  partner_carrier_id: string,
  { age, steps }: (typeof statements)[number],
): Promise<void> {
  const bill_date = new Date(Math.floor(Date.now() / day - age) * day).toISOString()
  const { id } = await createConsolidatedBill(ctx, {
    external_id,
    partner_carrier_id,
    currency_id: 'usd',
    bill_date,
    pay_period_start: new Date(Date.parse(bill_date) - 60 * day).toISOString(),
    pay_period_end: bill_date,
    notes: 'Monthly statement',
  })
  for (const step of steps)
    await moveConsolidatedBill(ctx, { by: 'id', id }, step, step === 'pay' ? paidWith(0) : {}, null)
}
