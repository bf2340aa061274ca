import { nameKeyword } from '../../platform/core/schema/names.ts'
import { addressParts, type Definition, type Field, type Item, type Kind } from '../kinds/kind.ts'
import { entryNames } from '../kinds/stops.ts'

export type Schema = { [key: string]: unknown }

const widget: Schema = {
  [nameKeyword]: 'Widget',
  type: 'object',
  required: ['key', 'name', 'version'],
  properties: {
    key: { type: 'string', examples: ['details'] },
    name: { type: 'string', examples: ['Details'] },
    version: { type: 'integer', examples: [1] },
  },
}

const marker: Schema = {
  [nameKeyword]: 'MapMarker',
  type: 'object',
  required: ['id', 'kind', 'label', 'latitude', 'longitude'],
  properties: {
    id: { type: 'string', description: 'The field that it comes from.', examples: ['pickup'] },
    kind: { type: 'string', examples: ['pickup'] },
    label: { type: 'string', examples: ['Acme Foods'] },
    latitude: { type: 'number', examples: [37.7955] },
    longitude: { type: 'number', examples: [-122.2791] },
  },
}

const id = (description: string, example = '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'): Schema => ({
  type: 'string',
  format: 'uuid',
  readOnly: true,
  description,
  examples: [example],
})
const time = (description: string): Schema => ({
  type: 'string',
  format: 'date-time',
  readOnly: true,
  description,
  examples: ['2026-11-15T09:30:00.000Z'],
})

/** The properties of every object, whatever its kind. */
export function sharedProperties(
  kind?: Pick<Kind, 'objectKey' | 'prefix' | 'statuses' | 'widgets'>,
): Record<string, Schema> {
  return {
    id: id('The object.'),
    objectKey: {
      ...(kind ? { const: kind.objectKey } : {}),
      type: 'string',
      readOnly: true,
      description: 'The kind of object.',
      examples: [kind?.objectKey ?? 'customer'],
    },
    orgId: id('The organization.', '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e16'),
    source: {
      type: 'string',
      enum: ['api', 'manual', 'import', 'system'],
      readOnly: true,
      description: 'Where it comes from.',
      examples: ['api'],
    },
    widgets: { type: 'array', items: widget, readOnly: true, description: 'What a page about it shows.' },
    widgetToOpen: { ...widget, readOnly: true, description: 'The first of them.' },
    fullId: {
      type: 'string',
      readOnly: true,
      description: 'The id that people read.',
      examples: [`${kind?.prefix ?? 'CUST'}-1`],
    },
    name: {
      type: 'string',
      description: 'What it is called; its `fullId` where it was given no name.',
      examples: ['Acme Foods'],
    },
    status: {
      type: 'string',
      ...(kind && { enum: [...kind.statuses] }),
      description: 'Its state.',
      examples: [kind?.statuses[0] ?? 'active'],
    },
    mapMarkers: { type: 'array', items: marker, readOnly: true, description: 'Its addresses that have coordinates.' },
    externalId: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 255,
      description: 'The id it has elsewhere; unique among the objects of a kind.',
      examples: ['ERP-2044'],
    },
    createdAt: time('When it was created.'),
    createdBy: id(
      'Who created it: the id of a user, or of an application that acted for itself, as in v1’s `created_by`.',
    ),
    updatedAt: time('When it was last changed.'),
    updatedBy: id('Who changed it last, named in the same way.'),
    version: {
      type: 'integer',
      minimum: 1,
      readOnly: true,
      description: 'Rises by one with every change; the number in the ETag.',
      examples: [1],
    },
    etaDelayNotifyEnabled: { type: 'boolean', description: 'Whether to notify of delays.', examples: [false] },
    etaDelayNotifyLabel: {
      type: 'string',
      description: 'What that setting is called.',
      examples: ['ETA delay notification'],
    },
  }
}

/** Properties that every object can have, and not all do. */
export const sharedOptions: Record<string, Schema> = {
  boardId: {
    ...id('The board it was created on, if one was sent.', '01932b5e-6f00-7c3a-9d41-2f6a8b0c4e17'),
    type: ['string', 'null'],
    readOnly: false,
  },
}

/** An object of the kind as it is read, as JSON Schema 2020-12. */
export function objectSchema(kind: Kind): Schema {
  const common = sharedProperties(kind)
  const own = Object.fromEntries(
    kind.fields.map((field) => [
      field.key,
      described(field, field.required ? valueSchema(field) : nullable(valueSchema(field))),
    ]),
  )
  const readOnly = Object.fromEntries(
    (kind.readOnlyFields ?? []).map((field) => [
      field.key,
      { ...described(field, nullable(valueSchema(field))), readOnly: true },
    ]),
  )
  const name = own.name ? { name: { ...common.name, ...own.name, type: 'string' } } : {}
  return {
    title: kind.name,
    description: kind.description,
    type: 'object',
    required: [
      ...Object.keys({ ...common, ...readOnly }),
      ...kind.fields.filter(({ required, key }) => required && !Object.hasOwn(common, key)).map(({ key }) => key),
    ],
    properties: { ...common, ...sharedOptions, ...own, ...name, ...readOnly },
    additionalProperties: true,
  }
}

/** The schema, with the rest of the definition in `$defs` as a constant: strict validators refuse keywords that they do not know. */
export function definitionSchema(definition: Definition): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...withoutNames(objectSchema(definition)),
    $defs: { definition: { description: 'What the definition says beyond the schema.', const: factsOf(definition) } },
  }
}

/** The names are those of the OpenAPI document. */
function withoutNames(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === nameKeyword ? undefined : value)))
}

/** A definition as it is listed, and as it is sent to change it. */
export function factsOf({
  objectKey,
  name,
  plural,
  prefix,
  description,
  scope,
  builtIn,
  revision,
  statuses,
  widgets,
  title,
  fields,
  added,
  hidden,
  readOnlyFields = [],
}: Definition): Schema {
  return {
    objectKey,
    name,
    plural,
    prefix,
    description,
    scope,
    builtIn,
    revision,
    statuses,
    widgets,
    title: title ?? null,
    fields,
    addedFields: added,
    removedFields: hidden,
    readOnlyFields,
  }
}

function described({ name, description, example }: Field, schema: Schema): Schema {
  return {
    title: name,
    ...(description && { description }),
    ...schema,
    ...(example !== undefined && { examples: [example] }),
  }
}

export function nullable(schema: Schema): Schema {
  return { ...schema, type: [schema.type, 'null'], ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }) }
}

export type Shape = Pick<Field, 'type' | 'options' | 'items' | 'format' | 'objectKey' | 'required'>

export function valueSchema(shape: Shape): Schema {
  const whole = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
  switch (shape.type) {
    case 'text':
      return {
        type: 'string',
        ...(shape.required && { minLength: 1 }),
        ...(shape.format === 'currency' && { pattern: '^[a-z]{3}$' }),
        ...(shape.format === 'id' && { format: 'uuid' }),
      }
    case 'number':
    case 'boolean':
      return { type: shape.type }
    case 'integer':
    case 'money':
      return whole
    case 'date':
    case 'date-time':
    case 'email':
      return { type: 'string', format: shape.type }
    case 'reference':
      return { type: 'string', format: 'uuid', description: `The id of an object of kind ${shape.objectKey}.` }
    case 'select':
      return { type: 'string', enum: [...(shape.options ?? [])] }
    case 'multi-select':
      return {
        type: 'array',
        items: { type: 'string', enum: [...(shape.options ?? [])] },
        uniqueItems: true,
        maxItems: shape.options?.length ?? 0,
      }
    case 'address':
      return addressSchema
    case 'list':
      return { type: 'array', maxItems: 1000, items: itemSchema(shape.items as Item) }
  }
}

function itemSchema(items: Item): Schema {
  if ('type' in items) return valueSchema(items)
  const name = entryNames.get(items)
  return {
    ...(name && { [nameKeyword]: `${name}V2` }),
    type: 'object',
    required: items.fields.filter(({ required }) => required).map(({ key }) => key),
    properties: Object.fromEntries(
      items.fields.map((field) => [
        field.key,
        described(field, field.required ? valueSchema(field) : nullable(valueSchema(field))),
      ]),
    ),
    additionalProperties: true,
  }
}

const addressSchema: Schema = {
  [nameKeyword]: 'LocationV2',
  type: 'object',
  properties: {
    ...Object.fromEntries(addressParts.map((part) => [part, { type: ['string', 'null'] }])),
    latitude: { type: ['number', 'null'], minimum: -90, maximum: 90 },
    longitude: { type: ['number', 'null'], minimum: -180, maximum: 180 },
  },
  additionalProperties: true,
}
