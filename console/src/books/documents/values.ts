import {
  type Address,
  type AddressValues,
  addressFields,
  addressIn,
  addressValuesOf,
} from '../../app/values/address:ts.ts'
import { typedDayOf } from '../../app/values/dates.ts'
import type { Currency } from '../../app/values/money.ts'
import { readAmount, typedAmountOf } from '../../app/values/money.ts'
import { type AnyFields, fieldsWithInput, type Kind } from './field.ts'

/** A value as a form has it: texts, and days without times. */
type FormValue = string | boolean | AddressValues | null

type FormValueOf<K extends Kind> = K extends 'boolean'
  ? boolean
  : K extends 'address'
    ? AddressValues
    : K extends 'carrier' | 'customer' | 'currency' | 'payTerm'
      ? string | null
      : string

/** The form of a document, by the fields that have an input. */
export type ValuesOf<Fields> = {
  -readonly [Name in keyof Fields as Fields[Name] extends { input: object }
    ? Name & string
    : never]: Fields[Name] extends { kind: infer K extends Kind } ? FormValueOf<K> : never
}

export type FormValues = Record<string, FormValue>

type Conversion = {
  blank: FormValue
  fromRecord: (value: never, currency: Currency | undefined, timeZone: string) => FormValue
  /** Undefined where it cannot be sent. */
  toRecord: (value: never, currency: Currency | undefined) => unknown
}

const same = (value: FormValue) => value
const text: Conversion = {
  blank: '',
  fromRecord: (value: string | null) => value ?? '',
  toRecord: (value: string) => value.trim() || null,
}
const id: Conversion = { blank: null, fromRecord: same, toRecord: same }
const day: Conversion = {
  blank: '',
  fromRecord: (value: string | null, _, timeZone) => typedDayOf(value, timeZone),
  toRecord: (value: string) => value || null,
}

const conversions: Partial<Record<Kind, Conversion>> = {
  text,
  longText: text,
  email: text,
  choice: { blank: '', fromRecord: same, toRecord: same },
  boolean: { blank: false, fromRecord: same, toRecord: same },
  money: {
    blank: '',
    fromRecord: (amount: number, currency) => (currency ? typedAmountOf(amount, currency.minor_units) : ''),
    toRecord: (typed: string, currency) => {
      const read = currency && readAmount(typed || '0', currency)
      return read && 'amount' in read ? read.amount : undefined
    },
  },
  day,
  dueDay: day,
  period: day,
  carrier: id,
  customer: id,
  currency: id,
  payTerm: id,
  address: {
    blank: addressValuesOf(null),
    fromRecord: (address: Address | null) => addressValuesOf(address),
    toRecord: (values: AddressValues) => addressIn(values),
  },
}

function conversionOf(kind: Kind): Conversion {
  const conversion = conversions[kind]
  if (!conversion) throw new Error(`A field of the kind ${kind} cannot have an input.`)
  return conversion
}

export function blankValues(fields: AnyFields, form: 'new' | 'edit'): FormValues {
  return Object.fromEntries(fieldsWithInput(fields, form).map(({ name, kind }) => [name, conversionOf(kind).blank]))
}

/** `timeZone` is that of the organization, whose days those of its documents are. */
export function valuesOf(
  fields: AnyFields,
  record: object,
  currency: Currency | undefined,
  timeZone: string,
): FormValues {
  const value = (name: string) => record[name as keyof typeof record]
  return Object.fromEntries(
    fieldsWithInput(fields, 'edit').map(({ name, kind }) => [
      name,
      conversionOf(kind).fromRecord(value(name), currency, timeZone),
    ]),
  )
}

/** What of a form is sent: an empty field clears, and a field below a box that is not checked is left out. */
export function bodyOf(
  fields: AnyFields,
  changes: Partial<FormValues>,
  all: FormValues,
  currency: Currency | undefined,
): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const { name, kind, input } of inputsOf(fields)) {
    const changed = changes[name]
    if (changed === undefined || (input?.under && !all[input.under])) continue
    const value = recordValue(kind, changed, currency)
    if (value !== undefined) body[name] = value
  }
  return body
}

/** A value of a form as the API would have it. */
export function recordValue(kind: Kind, value: FormValue, currency: Currency | undefined): unknown {
  return conversionOf(kind).toRecord(value as never, currency)
}

/** Amounts that cannot be read; what else is wrong, the server says. */
export function problemsIn(
  fields: AnyFields,
  values: FormValues,
  currency: Currency | undefined,
): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const { name, kind, input } of inputsOf(fields)) {
    const typed = values[name]
    if (kind !== 'money' || typeof typed !== 'string' || !typed || !currency || (input?.under && !values[input.under]))
      continue
    const read = readAmount(typed, currency)
    if ('problem' in read) problems[name] = read.problem
  }
  return problems
}

/** The names under which the server may find something wrong, the parts of an address before the whole. */
export function errorNamesOf(fields: AnyFields): string[] {
  const inputs = inputsOf(fields)
  const parts = inputs.flatMap(({ name, kind }) =>
    kind === 'address' ? addressFields.map((field) => `${name}.${field}`) : [],
  )
  return [...parts, ...inputs.map(({ name }) => name)]
}

export function labelsOf(fields: AnyFields): Record<string, string> {
  return Object.fromEntries(inputsOf(fields).map(({ name, label }) => [name, label]))
}

function inputsOf(fields: AnyFields) {
  return [
    ...new Map(
      [...fieldsWithInput(fields, 'new'), ...fieldsWithInput(fields, 'edit')].map((field) => [field.name, field]),
    ).values(),
  ]
}
