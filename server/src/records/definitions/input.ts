import Type, { type Static } from 'typebox'
import { named } from '../../platform/core/schema/names.ts'
import { nullable, Text } from '../../platform/core/schema/schema.ts'
import { fieldTypes } from '../kinds/kind.ts'

const Options = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 500,
  description: 'Of a select or multi-select: the values it can have.',
  examples: [['low', 'high']],
})
const Target = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Of a reference: the kind it points to.',
  examples: ['customer'],
})
const Kind = Type.Enum([...fieldTypes], { description: 'The type.', examples: ['text'] })

const plain = {
  key: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The name of the field in the object.',
    examples: ['priority'],
  }),
  name: Type.String({ minLength: 1, maxLength: 200, description: 'What people call it.', examples: ['Priority'] }),
  type: Kind,
  description: Type.Optional(Type.String({ maxLength: 1000, examples: ['How soon it must go.'] })),
  required: Type.Optional(Type.Boolean({ examples: [false] })),
  options: Type.Optional(Options),
  objectKey: Type.Optional(Target),
  format: Type.Optional(
    Type.Enum(['currency', 'id', 'time-zone'], {
      description:
        'A text that is the code of a currency, the name of a time zone in the IANA database, or the UUID of an entry of a list, made where none is sent.',
      examples: ['currency'],
    }),
  ),
  example: Type.Optional(Type.Unsafe<unknown>({ description: 'What a value looks like.', examples: ['high'] })),
}

export const FieldInput = named(
  'NewFieldDefinition',
  Type.Object({
    ...plain,
    unique: Type.Optional(Type.Boolean({ description: 'No two objects have the same value.', examples: [false] })),
    items: Type.Optional(
      named(
        'ListEntries',
        Type.Object(
          {
            type: Type.Optional(Kind),
            options: Type.Optional(Options),
            objectKey: Type.Optional(Target),
            fields: Type.Optional(Type.Array(named('EntryField', Type.Object(plain)), { maxItems: 50 })),
          },
          {
            description: 'Of a list: what its entries are, by a `type`, or records by their `fields`.',
            examples: [{ type: 'text' }],
          },
        ),
      ),
    ),
  }),
)
export type FieldInput = Static<typeof FieldInput>

const widget = named(
  'NewWidget',
  Type.Object({
    key: Text('The widget.', 'details'),
    name: Text('What people call it.', 'Details'),
    version: Type.Integer({ minimum: 1, examples: [1] }),
  }),
)

const content = {
  name: Text('What one object of the kind is called.', 'Inspection'),
  plural: Text('What several are called.', 'Inspections'),
  description: Type.String({
    maxLength: 1000,
    description: 'What the kind is for.',
    examples: ['A look at a vehicle before it goes.'],
  }),
  statuses: Type.Array(Text('A state.', 'active'), {
    minItems: 1,
    maxItems: 50,
    description: 'The states that an object can be in; a new one is in the first.',
    examples: [['active', 'inactive']],
  }),
  widgets: nullable(
    Type.Array(widget, {
      minItems: 1,
      maxItems: 50,
      description: 'What a page about an object shows; null for what is usual.',
      examples: [[{ key: 'details', name: 'Details', version: 1 }]],
    }),
  ),
  fields: Type.Array(FieldInput, {
    maxItems: 200,
    description:
      'The fields. Of a built-in kind: those that the organization adds. One that is left out is hidden, and keeps its values.',
    examples: [
      [
        {
          key: 'priority',
          name: 'Priority',
          type: 'select',
          options: ['low', 'high'],
          description: 'How soon it must go.',
        },
      ],
    ],
  }),
}

export const NewDefinition = Type.Object({
  objectKey: Type.String({ description: 'How the kind is called in the API: camelCase.', examples: ['inspection'] }),
  prefix: Type.String({ description: 'What the ids that people read begin with.', examples: ['INSP'] }),
  name: content.name,
  plural: Type.Optional(content.plural),
  description: Type.Optional(content.description),
  title: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The field that names an object which has no `name`.',
      examples: ['priority'],
    }),
  ),
  statuses: Type.Optional(content.statuses),
  widgets: Type.Optional(content.widgets),
  fields: Type.Optional(content.fields),
})
export type NewDefinition = Static<typeof NewDefinition>

export const DefinitionEdit = Type.Partial(Type.Object(content))
export type DefinitionEdit = Static<typeof DefinitionEdit>
