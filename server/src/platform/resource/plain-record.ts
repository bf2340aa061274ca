import { isDeepStrictEqual } from 'node:util'
import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import { conflict, quote, type Refusal } from '../core/refusal.ts'
import { changedBetween, paging, referenceParam, Time, wholeEdit } from '../core/schema/schema.ts'
import type { Defaults, Description, NewOf } from './description.ts'

export type Values = Record<string, unknown>

/** A record that is what its fields say, such as a tax rate: its table, its routes, its events and its history follow from its description. */
export type PlainRecord = Description<TProperties, Values> & {
  /** `tax rate`, `a tax rate`, `tax rates`. */
  words: { one: string; aOne: string; many: string }
  /** `TaxRate` and `TaxRates`, in the names of operations. */
  names: { one: string; many: string }
  /** What the path calls its id. */
  parameter: string
  params: TObject
  create: TObject
  update: TObject
  search: TObject
  /** Of its fields those that are columns of its table. */
  columns: readonly string[]
  contentOf(input: object): Values
  /** What the input makes of it, and what the fields that change were before. */
  edit(current: Values, input: object): { next: Values; previous: Values }
}

/** The same, with the type of what one is made from. */
export type PlainRecordFrom<New extends object> = PlainRecord & { readonly madeFrom?: New }

export function plainRecord<Fields extends TProperties, const Optional extends Defaults<Fields>>(
  description: Description<Fields, Optional>,
): PlainRecordFrom<NewOf<Fields, Optional>> {
  const { noun, plural, schema, fields, optional, elsewhere = [], externalId } = description
  const check = (description.check ?? ((content) => content)) as (...all: unknown[]) => Values
  const fieldNames = Object.keys(fields)
  const one = noun.replaceAll('_', ' ')
  const names = { one: capitalized(noun), many: capitalized(plural) }
  const parameter = `${names.one[0]?.toLowerCase()}${names.one.slice(1)}ID`
  const sentOf = (from: object) =>
    Object.fromEntries(
      Object.entries(from).filter(([name, value]) => Object.hasOwn(fields, name) && value !== undefined),
    )
  const derived: Omit<PlainRecord, keyof Description<Fields, Optional>> = {
    words: { one, aOne: `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`, many: plural.replaceAll('_', ' ') },
    names,
    parameter,
    params:
      externalId === undefined
        ? Type.Object({ [parameter]: schema.properties.id as TSchema })
        : referenceParam(parameter, one, externalId),
    ...schemasOf(description as never),
    columns: fieldNames.filter((name) => !elsewhere.some((other) => other === name)),
    contentOf: (input) => check({ ...optional, ...sentOf(input) }, input, null),
    edit(current, input) {
      const next = check({ ...sentOf(current), ...sentOf(input) }, input, current)
      const changed = fieldNames.filter((name) => !isDeepStrictEqual(next[name], current[name]))
      return { next, previous: Object.fromEntries(changed.map((name) => [name, current[name]])) }
    },
  }
  return { ...description, ...derived } as never
}

/** The bodies and the parameters of the search. */
function schemasOf({
  schema,
  fields,
  optional,
  filters,
  examples = {},
  fieldsOfNew,
  fieldsOfEdit,
}: Description<TProperties, Values>) {
  const inNew = { ...fields, ...fieldsOfNew }
  const inEdit = { ...fields, ...fieldsOfEdit }
  const mapped = (properties: TProperties, to: (name: string, one: TSchema) => TSchema) =>
    Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, to(name, one)]))
  const exampleOf = (body: object | undefined) => (body ? { examples: [body] } : {})
  return {
    create: Type.Object(
      mapped(inNew, (name, one) => (Object.hasOwn(optional, name) ? Type.Optional(one) : one)),
      exampleOf(examples.create),
    ),
    update: wholeEdit(schema, Type.Partial(Type.Object(inEdit), exampleOf(examples.update))),
    search: Type.Object({
      ...mapped(filters as never, (_, filter) => Type.Optional((filter as never as { schema: TSchema }).schema)),
      ...changedBetween,
      ...paging,
    }),
  }
}

/** What every plain record ends with. */
export const versioned = {
  revision: Type.Integer({
    minimum: 1,
    description: 'Rises by one with every change; the number in the ETag.',
    examples: [1],
  }),
  created_at: Time('When it was created.'),
  updated_at: Time('When it was last changed.'),
}

/** A search for a text. */
export const SearchTerm = (what: string, where: string, example: string) =>
  Type.String({
    maxLength: 255,
    description: `Keeps the ${what} that contain this in their ${where}; upper and lower case are the same.`,
    examples: [example],
  })

export function nameTaken(aOne: string, name: string): Refusal {
  return conflict('name_taken', `There is ${aOne} called ${quote(name)} already.`, [
    { field: 'name', code: 'taken', message: `The name of ${aOne} is unique in the organization.` },
  ])
}

/** `TaxRate` of `tax_rate`. */
function capitalized(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
