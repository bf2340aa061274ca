import type { Schemas } from '@lading/sdk'
import type { Address } from '../../app/values/address:ts.ts'

/** The kinds of fields, and what the API has as a value of each. */
type ValuesOfKinds = {
  text: string | null
  longText: string | null
  email: string | null
  choice: string
  boolean: boolean
  money: number
  count: number
  day: string | null
  /** The day by which it is to be paid: marked once it has passed. */
  dueDay: string | null
  moment: string | null
  carrier: string | null
  customer: string | null
  currency: string | null
  payTerm: string | null
  address: Address | null
  state: Schemas['Bill']['status_id']
  paymentState: 'draft' | 'issued' | 'cleared' | 'voided'
  /** The number of the document itself, which leads to its page. */
  number: string | null
  statement: string | null
  /** The first day of a period; the last one is read from the record. */
  period: string | null
}

export type Kind = keyof ValuesOfKinds

type KindsOf<Value> = { [K in Kind]: Value extends ValuesOfKinds[K] ? K : never }[Kind]

/** What decides whether a field can be changed: the record, null while a new one is written, and whether it has lines. */
export type Situation<Row> = { record: Row | null; hasLines: boolean }

export type Input<Row> = {
  /** The forms that have it. */
  on: 'new' | 'edit' | 'both'
  required?: true
  hintWhenEmpty?: string
  placeholder?: string
  /** The name of a checkbox: the input stands below it and counts only while the box is checked. */
  under?: string
  /** Left out of the form, because the server would not apply it. */
  hidden?: (situation: Situation<Row>) => boolean
  /** Why it cannot be changed, where it cannot. */
  fixed?: (situation: Situation<Row>) => string | null
}

/** `key` is its name in the address of the page, `param` the parameter of the API. */
export type Filter<Param extends string = string> = { key: string; placeholder?: string } & (
  | { param: Param; many?: true }
  /** Two days that limit a range. */
  | { from: Param; to: Param }
  /** A box to check. */
  | { flag: Param; words: string }
)

/** A field of a document, and where it appears. The order of the fields is their order in forms, details, columns and filters. */
export type Field<Value = never, Row = never, Param extends string = string> = {
  label: string
  /** For columns and the summary, where there is less space. */
  shortLabel?: string
  kind: KindsOf<Value>
  /** Of the kind `choice`: the words for each value. Of the kind `state`: those that differ from the usual ones. */
  options?: Readonly<Record<string, string>>
  input?: Input<Row>
  /** Why there is no input, where a client of the API could set it. */
  noInput?: string
  details?: 'always' | 'if set'
  /** Its place in the row of facts at the top of the page. */
  summary?: number
  /** In lists; `payee` shows whom the document pays instead of the value. */
  column?: 'value' | 'payee'
  filter?: Filter<Param>
  /** Not in the history: it follows from other fields, or no event carries it. */
  notInHistory?: true
}

/** A field that the pages do not show, and why. */
export type HiddenField = { notShown: string }

/** Every field of a record, so that none can be forgotten. */
export type FieldsOf<Row, Param extends string = string> = {
  readonly [Name in keyof Row]-?: Field<Row[Name], Row, Param> | HiddenField
}

// biome-ignore lint/suspicious/noExplicitAny: the fields of any document
export type AnyFields = FieldsOf<any>
export type NamedField = Omit<Field<never, never>, 'kind'> & { name: string; kind: Kind }

export function shownFields(fields: AnyFields): NamedField[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    'notShown' in field ? [] : [{ name, ...field } as unknown as NamedField],
  )
}

export function fieldsWithInput(fields: AnyFields, form: 'new' | 'edit'): NamedField[] {
  return shownFields(fields).filter(({ input }) => input && (input.on === form || input.on === 'both'))
}

export function shortLabelOf({ shortLabel, label }: Pick<NamedField, 'label' | 'shortLabel'>): string {
  return shortLabel ?? label
}
