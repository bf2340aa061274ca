import { conflict, type Detail, quote } from '../core/refusal.ts'
import type { Fields } from '../objects/model/object.ts'

/** What the bill of a manifest needs beyond the manifest. */
export type Circumstances = {
  partner: { name: string; json: Fields } | null
  types: readonly { id: string; name: string }[]
  pay_term_id: string | null
}

export type PaymentItem = { id: string; type: string; description?: string | null; unitPrice: number; quantity?: number | null }

/** The carrier's bill for a manifest: a line for each payment item, or why there cannot be one. */
export function billFor(id: string, manifest: Fields, { partner, types, pay_term_id }: Circumstances) {
  const items = itemsOf(manifest)
  if (items.length === 0) throw conflict('nothing_to_bill', 'This manifest has no payment items, so there is nothing to bill. Give it some first.')
  if (!partner)
    throw conflict('no_carrier', 'This manifest has no partner carrier, so there is nobody to pay. Set its partner_carrier_id (partnerId in v2) first.')
  const currency_id = manifest.currency ?? partner.json.currency ?? null
  if (currency_id === null)
    throw conflict('no_currency', 'Neither this manifest nor its partner carrier has a currency, so the amounts mean nothing. Set one first.')
  return {
    partner_carrier_id: manifest.partnerId as string,
    master_trip_id: id,
    currency_id: currency_id as string,
    pay_term_id,
    reference_number: within(manifest.referenceNumber, 255),
    send_to_email: within(partner.json.email, 254),
    remit_to: remitTo(partner),
    items: items.map((item, index) => ({
      bill_item_type_id: typeOf(item, index, types),
      manifest_id: id,
      manifest_payment_item_id: item.id,
      unit_price: item.unitPrice,
      quantity: item.quantity ?? 1,
      description: within(item.description, 1000),
    })),
  }
}

export function itemsOf({ paymentItems }: Fields): readonly PaymentItem[] {
  return (paymentItems ?? []) as readonly PaymentItem[]
}

function typeOf({ type }: PaymentItem, index: number, types: Circumstances['types']): string {
  const found = types.find(({ id }) => id === type.toLowerCase()) ?? types.find(({ name }) => name === type.toLowerCase())
  if (found) return found.id
  const detail: Detail = { field: `payment_items.${index}.type`, code: 'unknown_bill_item_type', message: `There is no bill item type ${quote(type)}.` }
  throw conflict('unknown_bill_item_type', `${detail.message} Make it, or change the payment item that names it.`, [detail])
}

/** The carrier's remit-to address, or else its own. */
function remitTo({ name, json }: { name: string; json: Fields }) {
  const given = json.remitTo as Fields | null | undefined
  const { companyName, contactName, address1, address2, city, state, postal, country } = given ?? {
    ...json,
    companyName: name,
    address1: json.address,
    address2: null,
  }
  const part = (text: unknown) => within(text, 500)
  return {
    company_name: part(companyName ?? name),
    contact_name: part(contactName),
    address_1: part(address1),
    address_2: part(address2),
    city: part(city),
    state: part(state),
    postal: part(postal),
    country: part(country),
  }
}

/** A text that is longer than a bill can hold is left out of it. */
function within(text: unknown, most: number): string | null {
  return typeof text === 'string' && text.length <= most ? text : null
}
