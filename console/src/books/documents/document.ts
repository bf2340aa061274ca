import type { Schemas } from '@lading/sdk'

type Bill = Schemas['Bill']
type BillItem = Schemas['BillItem']

/** What the records of every kind of document have. */
export type Document = Pick<
  Bill,
  | 'id'
  | 'number'
  | 'reference_number'
  | 'status_id'
  | 'currency_id'
  | 'due_date'
  | 'send_to_email'
  | 'is_tax_on'
  | 'tax_amount'
  | 'sub_total_amount'
  | 'total_amount'
  | 'amount_paid'
  | 'amount_due'
  | 'voided_at'
  | 'home_currency_id'
  | 'home_total_amount'
  | 'revision'
  | 'available_actions'
>

/** What the lines of every kind of document have. */
export type Item = Pick<
  BillItem,
  | 'id'
  | 'bill_item_type_id'
  | 'bill_item_type'
  | 'description'
  | 'quantity'
  | 'unit_price'
  | 'total_amount'
  | 'tax_rate_id'
  | 'tax_amount'
>

/** What a client can say about a line; the server computes the rest. */
export type LineContent = Pick<
  BillItem,
  'bill_item_type_id' | 'description' | 'quantity' | 'unit_price' | 'tax_rate_id'
>
