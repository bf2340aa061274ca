import Type from 'typebox'
import { kindScopes } from '../../platform/access/kind-scopes.ts'
import { named } from '../../platform/core/schema/names.ts'
import { FieldInput } from './input.ts'

const FieldDefinition = named('FieldDefinition', Type.Unsafe<unknown>({ ...FieldInput, additionalProperties: true }))
const fields = Type.Array(FieldDefinition, {
  examples: [[{ key: 'name', name: 'Name', type: 'text', required: true }]],
})

export const DefinitionFacts = Type.Object(
  {
    objectKey: Type.String({ description: 'How the kind is called in the API.', examples: ['customer'] }),
    name: Type.String({ examples: ['Customer'] }),
    plural: Type.String({ examples: ['Customers'] }),
    prefix: Type.String({ description: 'What the ids that people read begin with.', examples: ['CUST'] }),
    description: Type.String({ examples: ['Whom freight is moved for.'] }),
    scope: Type.Enum([...kindScopes], { description: 'The scope that a token needs.', examples: ['customers'] }),
    builtIn: Type.Boolean({ examples: [true] }),
    revision: Type.Integer({ description: 'Rises by one with every change; the number in the ETag.', examples: [1] }),
    statuses: Type.Array(Type.String(), { examples: [['active', 'inactive']] }),
    widgets: Type.Array(Type.Object({ key: Type.String(), name: Type.String(), version: Type.Integer() }), {
      examples: [[{ key: 'details', name: 'Details', version: 1 }]],
    }),
    title: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The field that names an object which has no name.',
      examples: [null],
    }),
    fields,
    addedFields: Type.Array(Type.String(), {
      description: 'The keys of those that the organization added.',
      examples: [[]],
    }),
    removedFields: Type.Array(Type.Unsafe<unknown>({ type: 'object', additionalProperties: true }), {
      description: 'Fields that were removed: their values are kept, and hidden.',
      examples: [[]],
    }),
    readOnlyFields: Type.Array(FieldDefinition, {
      description: 'Fields that the server adds to every object of the kind; null where there is no value.',
      examples: [[]],
    }),
  },
  { $id: 'Definition', description: 'What a kind of object is.' },
)

export const DefinitionSchema = Type.Unsafe<unknown>({
  $id: 'DefinitionSchema',
  type: 'object',
  description:
    'A JSON Schema 2020-12 that every object of the kind fits; what the definition says beyond it is in `$defs.definition.const`.',
  required: ['$schema', 'title', 'type', 'properties', 'required', '$defs'],
  properties: {
    $schema: { type: 'string', examples: ['https://json-schema.org/draft/2020-12/schema'] },
    title: { type: 'string', examples: ['Customer'] },
    description: { type: 'string', examples: ['Whom freight is moved for.'] },
    type: { type: 'string', examples: ['object'] },
    properties: { type: 'object', additionalProperties: true, examples: [{ name: { type: 'string' } }] },
    required: { type: 'array', items: { type: 'string' }, examples: [['id', 'name']] },
    $defs: {
      type: 'object',
      required: ['definition'],
      properties: {
        definition: { type: 'object', required: ['const'], properties: { const: { $ref: 'Definition' } } },
      },
    },
  },
  additionalProperties: true,
})
