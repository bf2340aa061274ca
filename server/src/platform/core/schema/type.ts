import type Typebox from 'typebox'
import type { TObject, TPartial, TRecord, TSchema, TSchemaOptions, TString } from 'typebox'

/** The makers of schemas that we use, typed as those of typebox, whose own would bring 450 modules into memory (docs/decisions/parts.md). */
type Makers = Pick<
  typeof Typebox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Intersect'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Ref'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
> & {
  Partial<T extends TObject>(schema: T, options?: TSchemaOptions): TPartial<T>
  Record<V extends TSchema>(key: TString, value: V, options?: TSchemaOptions): TRecord<'^.*$', V>
}

const Type = {
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: object) => ({ enum: values, ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Intersect: (allOf: TSchema[], options?: object) => ({ allOf, ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Number: (options?: object) => ({ type: 'number', ...options }),
  Object: objectOf,
  Optional: optional,
  Partial: ({ properties }: TObject, options?: object) =>
    objectOf(Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, optional(field)])), options),
  Record: (_key: TString, value: TSchema, options?: object) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  Ref: ($ref: string, options?: object) => ({ $ref, ...options }),
  String: (options?: object) => ({ type: 'string', ...options }),
  Union: (anyOf: TSchema[], options?: object) => ({ anyOf, ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Unsafe: (schema: TSchema) => schema,
} satisfies Record<keyof Makers, unknown> as unknown as Makers

export default Type

function objectOf(properties: Record<string, TSchema>, options?: object): TSchema {
  const required = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name] as TSchema, '~optional'))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

/** The mark is not enumerable: it is no part of the schema as text, and a copy with spread syntax does not have it. */
function optional(schema: TSchema): TSchema {
  return Object.defineProperty({ ...schema }, '~optional', { value: true })
}
