import type { IconFileInvoice } from '../../app/icons/icons.ts'
import type { Document } from './document.ts'
import type { Party } from './party.ts'
import type { List } from './search.ts'

/** A kind of document with lines, such as bills. Its pages and its requests are made from this description. */
export type DocumentKind<D extends Document = Document> = {
  /** Its name in the API: the path, the list in an answer, and the first part of the keys of its queries. */
  resource: string
  /** The key of one of them in an answer; its lines are below the same key with `_items`. */
  key: string
  /** As in a sentence. */
  one: string
  many: string
  title: string
  lead: string
  icon: typeof IconFileInvoice
  list: List
  party: Party
  /** The field with the date of the document. */
  dateField: string
  /** What is asked for in every search, and sent with every new one. */
  fixed?: { query: object; body: object }
  /** The first parts of the keys of the queries that a change of one touches. */
  touches: readonly string[]
  emptyText: string
  noMatchText: string
  /** Never set: it ties the description to the type of its records. */
  record?: D
}

/** The path of the page that has the list, and of all pages below it. */
export function pathOf({ list }: DocumentKind): string {
  return list.path
}

/** The word for one of them, at the start of a label. */
export function wordOf({ one }: Pick<DocumentKind, 'one'>): string {
  return `${one.charAt(0).toUpperCase()}${one.slice(1)}`
}

/** A draft has no number yet. */
export function nameIn(
  { one }: Pick<DocumentKind, 'one'>,
  { number, reference_number }: Pick<Document, 'number' | 'reference_number'>,
): string {
  return number ?? (reference_number ? `Draft ${reference_number}` : `Draft ${one}`)
}
