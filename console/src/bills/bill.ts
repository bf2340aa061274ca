import type { Schemas } from '@lading/sdk'

export type Bill = Schemas['Bill']
export type BillItem = Schemas['BillItem']

/** What a client can say about a line; the server computes the rest. */
export type LineContent = Pick<BillItem, 'bill_item_type_id' | 'description' | 'quantity' | 'unit_price'>

/** A draft has no number yet. */
export function nameOf({ number, reference_number }: Pick<Bill, 'number' | 'reference_number'>): string {
  return number ?? (reference_number ? `Draft ${reference_number}` : 'Draft bill')
}
