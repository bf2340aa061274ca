import type { Schemas } from '@lading/sdk'
import { distanceWords, equipmentWords, type Freight, weightWords, windowWords } from '../../app/values/freight.ts'
import { type Currency, moneyOf } from '../../app/values/money.ts'

export type Tender = Schemas['PortalTender']
export type Load = Schemas['PortalManifest']
export type Stop = Load['stops'][number]
export type Bill = Schemas['PortalBill']
export type Thread = Schemas['PortalThread']
export type Invoice = Schemas['PortalInvoice']
type Address = Load['start']

export const tenderWords: Record<Tender['state'], string> = {
  open: 'Waiting for your answer',
  countered: 'Waiting for their answer',
  accepted: 'Accepted',
  declined: 'Declined',
  cancelled: 'Cancelled',
  expired: 'Expired',
}

export const billWords: Record<Bill['state'], string> = {
  in_review: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
  paid: 'Paid',
}

export const invoiceWords: Record<Invoice['state'], string> = {
  received: 'Received',
  in_review: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
  billed: 'Billed',
}

export const statusWords: Record<string, string> = {
  active: 'New',
  planned: 'Planned',
  dispatched: 'Dispatched',
  in_transit: 'In transit',
  completed: 'Completed',
  cancelled: 'Cancelled',
  inactive: 'Inactive',
}

export const stopWords: Record<Stop['kind'], string> = {
  pickup: 'Pickup',
  delivery: 'Delivery',
  border: 'Border',
  other: 'Stop',
}

export const documentWords: Record<string, string> = {
  pod: 'Proof of delivery',
  bol: 'Bill of lading',
  lumper_receipt: 'Lumper receipt',
  invoice: 'Invoice',
  other: 'Other document',
}

/** A carrier may not read the list of currencies; browsers know how many decimals one has. */
export function currencyOf(id: string): Currency {
  const iso_4217 = id.toUpperCase()
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: iso_4217,
  }).resolvedOptions()
  return { iso_4217, minor_units: maximumFractionDigits }
}

export function money(amount: number | null, currency: string | null): string {
  return amount === null || currency === null ? '–' : moneyOf(amount, currencyOf(currency))
}

export function placeOf(address: Address): string {
  return [address?.city, address?.state].filter(Boolean).join(', ')
}

/** From where to where: the ends of a load, or else its first and last stop. */
export function laneOf({ start, end, stops = [] }: { start: Address; end: Address; stops?: readonly Stop[] }): string {
  const ends = [
    placeOf(start) || placeOf(stops[0]?.address ?? null),
    placeOf(end) || placeOf(stops.at(-1)?.address ?? null),
  ]
  return ends.filter(Boolean).join(' → ')
}

/** When, how far and what, by the clocks at the docks; what is not known is left out. */
export function freightFacts(load: Freight & { start: Address; end: Address }): [string, string][] {
  return [
    ['Pick up', [placeOf(load.start), windowWords(load.pickup_window)].filter(Boolean).join(', ')],
    ['Deliver', [placeOf(load.end), windowWords(load.delivery_window)].filter(Boolean).join(', ')],
    ['Distance', distanceWords(load)],
    ['Equipment', equipmentWords(load)],
    ['Weight', weightWords(load)],
  ]
}

export function streetOf(address: Address): string {
  return [address?.company_name, address?.address_1, address?.address_2, placeOf(address), address?.postal]
    .filter(Boolean)
    .join(', ')
}
