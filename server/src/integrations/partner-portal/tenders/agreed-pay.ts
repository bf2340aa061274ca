import type { HeldManifest } from '../carriers/lookup.ts'
import type { Tender } from './model.ts'

/** What a tender changes of how a manifest is paid; nothing where people have written that themselves. */
export type Pay = { paymentItems?: readonly object[] | null; currency?: string }

type Paid = Pick<HeldManifest, 'items' | 'currency'>
type Agreed = Pick<Tender, 'agreed_rate' | 'currency_id'>

const type = 'Line haul'
const description = 'As agreed with the carrier'

/** The agreed rate as the one payment item of a manifest that has none, or whose only one is the rate of a tender before this. */
export function agreedPay(manifest: Paid, { agreed_rate, currency_id }: Agreed, before: readonly Agreed[]): Pay {
  const isFree = hasNone(manifest.items) || isOf(manifest, before)
  if (agreed_rate === null || !isFree) return {}
  // An amount means nothing in another currency than its own.
  if (manifest.currency !== null && manifest.currency.toLowerCase() !== currency_id) return withoutPay(manifest, before)
  const paymentItems = [{ type, description, unitPrice: agreed_rate, quantity: 1 }]
  return { paymentItems, ...(manifest.currency === null && currency_id !== null && { currency: currency_id }) }
}

/** Takes the rate of a tender off a manifest again, unless somebody has changed it since: the next carrier agrees on its own. */
export function withoutPay(manifest: Paid, before: readonly Agreed[]): Pay {
  return isOf(manifest, before) ? { paymentItems: null } : {}
}

function hasNone(items: unknown): boolean {
  return items === null || items === undefined || (Array.isArray(items) && items.length === 0)
}

/** Whether the one payment item is what `agreedPay` wrote for one of these tenders. */
function isOf({ items }: Paid, tenders: readonly Agreed[]): boolean {
  if (!Array.isArray(items) || items.length !== 1) return false
  const [item] = items
  const isAsWritten = item?.type === type && item.description === description && (item.quantity ?? 1) === 1
  return isAsWritten && tenders.some(({ agreed_rate }) => agreed_rate !== null && agreed_rate === item.unitPrice)
}
