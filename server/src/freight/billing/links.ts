import { bill } from '../../books/bills/kind.ts'
import { invoices } from '../../books/kinds/kinds.ts'

/** That a kind of object has a document made from it, at most one that stands, and the table that says which. */
export type Link = {
  readonly objectKey: string
  readonly table: string
  /** The columns of the table that name the object and the document. */
  readonly object: string
  readonly document: string
  /** The primary key of the table, by which an object has one document. */
  readonly constraint: string
  /** The kind of document: its name, its table, and what its numbers begin with. */
  readonly noun: string
  readonly documents: string
  readonly prefix: string
  /** What happened to the object, in its event and as the code of refusals. */
  readonly verb: string
}

export const billOfManifest: Link = {
  objectKey: 'manifest',
  table: 'manifest_bills',
  object: 'manifest_id',
  document: 'bill_id',
  constraint: 'manifest_is_billed_once',
  noun: bill.noun,
  documents: bill.plural,
  prefix: bill.numberPrefix.toUpperCase(),
  verb: 'billed',
}

export const invoiceOfOrder: Link = {
  objectKey: 'order',
  table: 'order_invoices',
  object: 'order_id',
  document: 'invoice_id',
  constraint: 'order_is_invoiced_once',
  noun: invoices.noun,
  documents: invoices.plural,
  prefix: invoices.numberPrefix.toUpperCase(),
  verb: 'invoiced',
}
