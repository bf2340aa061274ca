import { conflict, type Detail, quote } from '../../platform/core/refusal.ts'
import type { Fields } from '../../records/model/object.ts'

/** What a document needs to know beyond the object that it is made from. */
export type Circumstances = {
  party: { name: string; json: Fields } | null
  types: readonly { id: string; name: string }[]
  pay_term_id: string | null
}

export type PricedItem = {
  id: string
  type: string
  description?: string | null
  unitPrice: number
  quantity?: number | null
}

/** The carrier's bill for a manifest: a line for each payment item, or why there cannot be one. */
export function billFor(id: string, manifest: Fields, { party, types, pay_term_id }: Circumstances) {
  const items = itemsOf(manifest, 'paymentItems')
  if (items.length === 0)
    throw conflict(
      'nothing_to_bill',
      'This manifest has no payment items, so there is nothing to bill. Give it some first.',
    )
  if (!party)
    throw conflict(
      'no_carrier',
      'This manifest has no partner carrier, so there is nobody to pay. Set its partner_carrier_id (partnerId in v2) first.',
    )
  const currency_id = manifest.currency ?? party.json.currency ?? null
  if (currency_id === null)
    throw conflict(
      'no_currency',
      'Neither this manifest nor its partner carrier has a currency, so the amounts mean nothing. Set one first.',
    )
  return {
    partner_carrier_id: manifest.partnerId as string,
    master_trip_id: id,
    currency_id: currency_id as string,
    pay_term_id,
    reference_number: within(manifest.referenceNumber, 255),
    send_to_email: within(party.json.email, 254),
    remit_to: addressOf(party, party.json.remitTo),
    items: items.map((item, index) => ({
      bill_item_type_id: typeOf(item, `payment_items.${index}`, types),
      manifest_id: id,
      manifest_payment_item_id: item.id,
      ...priceOf(item),
    })),
  }
}

/** The customer's invoice for an order: a line for its rate and one for each charge, or why there cannot be one. */
export function invoiceFor(id: string, order: Fields, { party, types, pay_term_id }: Circumstances) {
  const charges = itemsOf(order, 'charges')
  const rate =
    order.rate === null || order.rate === undefined
      ? []
      : [{ order_id: id, unit_price: order.rate as number, quantity: 1, description: haulOf(order) }]
  if (rate.length + charges.length === 0)
    throw conflict(
      'nothing_to_invoice',
      'This order has neither a rate nor charges, so there is nothing to invoice. Give it some first.',
    )
  if (!party)
    throw conflict(
      'no_customer',
      'The customer of this order is gone, so there is nobody to invoice. Set its customer_id (customerId in v2) first.',
    )
  const currency_id = order.currency ?? party.json.currency ?? null
  if (currency_id === null)
    throw conflict(
      'no_currency',
      'Neither this order nor its customer has a currency, so the amounts mean nothing. Set one first.',
    )
  return {
    customer_id: order.customerId as string,
    currency_id: currency_id as string,
    pay_term_id,
    reference_number: within(order.referenceNumber, 255),
    send_to_email: within(party.json.email, 254),
    bill_to: addressOf(party, party.json.billingAddress),
    items: [
      ...rate,
      ...charges.map((charge, index) => ({
        bill_item_type_id: typeOf(charge, `charges.${index}`, types),
        order_id: id,
        order_charge_id: charge.id,
        ...priceOf(charge),
      })),
    ],
  }
}

/** The items of an object. An organization may have a field of its own by that name, from before the kind had one. */
export function itemsOf(object: Fields, field: 'paymentItems' | 'charges'): readonly PricedItem[] {
  const list = object[field] ?? []
  if (Array.isArray(list) && list.every(isPriced)) return list
  throw conflict(
    'unusable_items',
    `"${field}" is not a list of items, each with a "type" and a "unitPrice" in whole minor units, so nothing can be made from it.`,
  )
}

export function isPriced(item: unknown): item is PricedItem {
  const { type, unitPrice, quantity } = (item ?? {}) as Fields
  return (
    typeof type === 'string' &&
    Number.isSafeInteger(unitPrice) &&
    (quantity === null || quantity === undefined || Number.isSafeInteger(quantity))
  )
}

function priceOf({ unitPrice, quantity, description }: PricedItem) {
  return { unit_price: unitPrice, quantity: quantity ?? 1, description: within(description, 1000) }
}

function typeOf({ type }: PricedItem, at: string, types: Circumstances['types']): string {
  const found =
    types.find(({ id }) => id === type.toLowerCase()) ?? types.find(({ name }) => name === type.toLowerCase())
  if (found) return found.id
  const detail: Detail = {
    field: `${at}.type`,
    code: 'unknown_bill_item_type',
    message: `There is no bill item type ${quote(type)}.`,
  }
  throw conflict(
    'unknown_bill_item_type',
    `${detail.message} Make it, or change the ${at.split('.')[0]?.slice(0, -1).replaceAll('_', ' ')} that names it.`,
    [detail],
  )
}

/** `Freight Oakland, CA to Seattle, WA`, as far as the order says. */
function haulOf({ pickup, delivery }: Fields): string {
  const [from, to] = [pickup, delivery].map((address) => {
    const { city, state } = (address ?? {}) as Fields
    return [city, state].filter((part) => typeof part === 'string' && part !== '').join(', ')
  })
  return within(['Freight', ...(from ? [from] : []), ...(to ? [`to ${to}`] : [])].join(' '), 1000) ?? 'Freight'
}

/** The address that the party gives for this, or else its own. */
function addressOf({ name, json }: { name: string; json: Fields }, given: unknown) {
  const { companyName, contactName, address1, address2, city, state, postal, country } = (given as
    | Fields
    | null
    | undefined) ?? {
    ...json,
    companyName: name,
    address1: json.address,
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

/** A text that is longer than a document can hold is left out of it. */
function within(text: unknown, most: number): string | null {
  return typeof text === 'string' && text.length <= most ? text : null
}
