import type { Field, Fields } from './fields.ts'

/** What the rules know of a kind of document: its names and its fields. */
export type Shape = {
  /** `bill`: the name of one in answers, events and sentences. */
  readonly noun: string
  /** `bills`: the table, the path, and the name of the list in answers. */
  readonly plural: string
  readonly fields: Fields
  /** The field with the date from which a pay term counts, such as `bill_date`. */
  readonly date: string
  /** The fields that name who is paid or pays, such as `partner_carrier_id`. */
  readonly parties?: readonly string[]
  readonly lines: LineShape
  /** Refuses what the fields alone would allow. */
  readonly check?: (document: object) => void
}

export type LineShape = {
  /** `bill_item` */
  readonly noun: string
  /** `bill_items`: the table, and the name of the list in answers. */
  readonly plural: string
  /** `bill_id`: the column that names the document. */
  readonly parentKey: string
  /** What clients set of a line. */
  readonly fields: Fields
  readonly type: LineType | null
}

/** The records that lines may name as their type, such as bill item types. */
export type LineType = {
  /** `bill_item_type`: the name in answers; the field with its id ends in `_id`. */
  readonly name: string
  readonly table: string
}

export function typeKey({ name }: LineType): string {
  return `${name}_id`
}

/** What stands around a document in the answers about it, and in a body is ignored. */
export function aroundDocument({ lines }: Pick<Shape, 'lines'>): string[] {
  return [lines.noun, 'pay_term', 'currency_info']
}

/** `a bill`, `an invoice` */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

export function capitalize(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** `bill_item` as `BillItem`: the names of schemas and operations. */
export function pascal(name: string): string {
  return name.split('_').map(capitalize).join('')
}

/** `bill_item_type` as `bill item type` */
export function withSpaces(name: string): string {
  return name.replaceAll('_', ' ')
}

/** The fields, those of these names first. */
export function putFirst(first: readonly string[], fields: Shape['fields']): Shape['fields'] {
  return { ...Object.fromEntries(first.map((name) => [name, fields[name] as Field])), ...fields }
}
