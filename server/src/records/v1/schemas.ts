import Type from 'typebox'
import { named, nameKeyword } from '../../platform/core/schema/names.ts'
import { Id, Time } from '../../platform/core/schema/schema.ts'
import { nullable, type Schema, type Shape, sharedProperties, valueSchema } from '../definitions/json-schema.ts'
import type { Field, Item } from '../kinds/kind.ts'
import { entryNames } from '../kinds/stops.ts'
import type { Fields } from '../model/object.ts'
import { addressFields, type Column, codecOf, nameOf } from './names.ts'
import type { Resource } from './resources.ts'

/** One object as it is shown: with every defined field. */
export function resourceSchema({ kind, columns, schema }: Resource) {
  const properties = Object.fromEntries(
    columns.map((column) => [column.name, outgoing(column, sharedProperties(kind))]),
  )
  return Type.Unsafe<Fields>({
    $id: schema,
    type: 'object',
    description: `${kind.description} Fields that the organization added follow under their own names.`,
    required: Object.keys(properties),
    properties,
    additionalProperties: true,
  })
}

/** What a client can send: all required fields for a new object, any fields for a change. */
export function bodySchema({ kind, columns, schema }: Resource, what: 'create' | 'update') {
  const settable = columns.filter(({ readOnly }) => !readOnly)
  const properties = Object.fromEntries(
    settable.map((column) => [column.name, incoming(column, what, sharedProperties(kind))]),
  )
  const needed = settable.filter(({ field }) => field.required).map(({ name }) => name)
  const required = what === 'create' ? needed : []
  const note = 'Fields that the organization added to this kind can be sent with these, under their own names.'
  const examples = [sampleOf(settable, properties, what)]
  const body = Type.Unsafe<Fields>({
    type: 'object',
    description: note,
    ...(required.length > 0 && { required }),
    properties,
    additionalProperties: true,
    examples,
  })
  // Where nothing is needed, one can be made with all that can be changed.
  return needed.length > 0 ? body : named(`${schema}Fields`, body)
}

/** A body to try it with: without references, because whoever tries it has other objects, but for those that are required. */
function sampleOf(
  columns: readonly Column[],
  properties: Readonly<Record<string, Schema>>,
  what: 'create' | 'update',
): Record<string, unknown> {
  const shown = columns.filter(
    ({ key, field }) => key !== 'boardId' && ((field.required && what === 'create') || !isReference(field)),
  )
  return Object.fromEntries(
    shown.flatMap(({ name }) =>
      ((properties[name]?.examples as unknown[] | undefined) ?? []).slice(0, 1).map((example) => [name, example]),
    ),
  )
}

function isReference({ type, items }: Field): boolean {
  return type === 'reference' || (items !== undefined && 'type' in items && items.type === 'reference')
}

const revision = Type.Integer({
  minimum: 1,
  description: 'Rises by one with every change; the number in the ETag.',
  examples: [1],
})
const serverFields: Record<string, object> = {
  id: Id('Made by the server.'),
  orgId: Id('The organization it belongs to.'),
  version: revision,
  createdAt: Time('When it was created.'),
  updatedAt: Time('When it was last changed.'),
  createdBy: Id('Who created it.'),
  updatedBy: Id('Who changed it last.'),
}

function outgoing({ key, field, readOnly }: Column, common: Record<string, Schema>): Schema {
  const schema =
    (serverFields[key] as Schema | undefined) ??
    common[key] ??
    described(field, field.required ? wireSchema(field) : nullable(wireSchema(field)))
  const { readOnly: _, ...rest } = key === 'status' ? openStatus(schema) : schema
  return {
    ...reworded(rest),
    ...(key === 'name' && field.description && { description: field.description }),
    ...(readOnly && { readOnly }),
  }
}

/** Without a pattern, because a currency is accepted in capitals too. */
function incoming({ key, field }: Column, what: 'create' | 'update', common: Record<string, Schema>): Schema {
  const clears = what === 'update' || !field.required
  const { pattern: _, ...schema } = common[key] ? { ...common[key] } : byAnyName(described(field, wireSchema(field)))
  const { readOnly: __, ...rest } = key === 'status' ? openStatus(schema) : schema
  return reworded(clears && !Array.isArray(rest.type) ? nullable(rest) : rest)
}

/** References are read by the object model, which takes names as well as ids. */
function byAnyName(schema: Schema): Schema {
  const { format, items, properties, ...rest } = schema as Schema & {
    format?: string
    items?: Schema
    properties?: Record<string, Schema>
  }
  return {
    ...rest,
    ...(format !== undefined && format !== 'uuid' && { format }),
    ...(format === 'uuid' && {
      maxLength: 300,
      description: `${rest.description ?? ''} Its id, its \`full_id\`, or \`ext:<external_id>\`.`.trim(),
    }),
    ...(items && { items: sentEntry(byAnyName(items)) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, byAnyName(inner)])),
    }),
  }
}

/** What is sent names records in more ways than what is answered, so it is a schema of its own. */
function sentEntry(entry: Schema): Schema {
  return entry[nameKeyword] === undefined ? entry : { ...entry, [nameKeyword]: `Sent${entry[nameKeyword]}` }
}

/** An organization can add statuses, so the built-in ones are described, not required. */
function openStatus({ enum: usual, ...schema }: Schema): Schema {
  return { ...schema, description: `Its state; built in are ${(usual as string[]).join(', ')}.` }
}

function wireSchema(shape: Shape): Schema {
  if (shape.type === 'address') return { ...recordSchema(addressFields), [nameKeyword]: 'Location' }
  if (shape.type !== 'list') return valueSchema(shape)
  const items = shape.items as Item
  const entry =
    'type' in items
      ? { ...wireSchema(items), examples: [exampleOf(items)] }
      : { ...recordSchema(items.fields), ...(entryNames.has(items) && { [nameKeyword]: entryNames.get(items) }) }
  return { type: 'array', maxItems: 1000, items: entry }
}

function recordSchema(fields: readonly Field[]): Schema {
  const properties = fields.map(
    (field) =>
      [nameOf(field), described(field, field.required ? wireSchema(field) : nullable(wireSchema(field)))] as const,
  )
  const required = fields.filter((field) => field.required).map(nameOf)
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
    additionalProperties: true,
  }
}

function described(field: Field, { description, ...schema }: Schema): Schema {
  const example = exampleOf(field)
  return {
    description: field.description ?? description ?? `${field.name}.`,
    ...schema,
    ...(example !== undefined && { examples: [codecOf(field).show(example)] }),
  }
}

const examples: Partial<Record<Field['type'], unknown>> = {
  text: 'Oakland',
  number: 1,
  integer: 1,
  money: 185000,
  boolean: true,
  date: '2026-11-15',
  'date-time': '2026-11-15T09:30:00.000Z',
  email: 'ops@acmefoods.example',
  reference: '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15',
}
const address = {
  companyName: 'Acme Foods',
  address1: '1200 Harbor Way',
  city: 'Oakland',
  state: 'CA',
  postal: '94607',
  country: 'US',
}
const parts: Record<string, unknown> = {
  latitude: 37.7955,
  longitude: -122.2791,
  ...address,
  contactName: 'Dana Reyes',
  address2: 'Suite 4',
  notes: 'Call before delivery',
}

/** The example of the field, or one of its type. */
function exampleOf(field: Partial<Field> & Shape): unknown {
  if (field.example !== undefined) return field.example
  if (field.type === 'address') return address
  if (field.type === 'list') return field.items && 'type' in field.items ? [exampleOf(field.items)] : undefined
  return field.options?.[0] ?? (field.key === undefined ? undefined : parts[field.key]) ?? examples[field.type]
}

/** Descriptions use the names of v1. */
function reworded(schema: Schema): Schema {
  return {
    ...schema,
    ...(typeof schema.description === 'string' && {
      description: schema.description.replaceAll('`fullId`', '`full_id`'),
    }),
  }
}
