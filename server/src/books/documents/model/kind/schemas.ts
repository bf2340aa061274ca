import Type, { type TObject, type TSchema } from 'typebox'
import { named } from '../../../../platform/core/schema/names.ts'
import { Id, ignoredInBodies, nullable, Text, Time } from '../../../../platform/core/schema/schema.ts'
import { Amount } from '../fields/amount.ts'
import { exampleOfCreation } from '../fields/creation.ts'
import { type Field, type Fields, namesOf } from '../fields/fields.ts'
import { aroundDocument, pascal, putFirst, type Shape, withArticle } from '../fields/shape.ts'
import { mostLines, serverNames } from './line-changes.ts'
import { searchSchemaOf } from './search-schema.ts'

/** What the texts of the API say of one kind of document only. */
export type Wording = {
  /** What it is. */
  document: string
  line: string
  reasonExample: string
  /** The external id of one in the demo. */
  externalIdExample?: string
}

/** The shapes of a kind's bodies, answers and queries. */
export type Schemas = {
  Document: TObject
  Line: TObject
  /** The whole answer about a document; PUT answers without the currency. */
  Found: TObject
  Updated: TObject
  New: TObject
  Edit: TObject
  /** One row of many: a new document, or what is known of one that is there. */
  Row: TObject
  NewLine: TObject
  LineEdit: TObject
  Search: TObject
}

type Described = Shape & {
  numberPrefix: string
  filters: Readonly<Record<string, { schema: TSchema }>>
  options?: Readonly<Record<string, TSchema>>
  wording: Wording
}

export function makeSchemas(kind: Described): Schemas {
  const { fields, noun, wording } = kind
  const answer = answerOf(kind)
  return {
    Document: Type.Object(
      mapped(putFirst(answersStartWith, fields), ({ schema }) => schema),
      { $id: pascal(noun), description: wording.document },
    ),
    Line: lineOf(kind),
    Found: Type.Object({
      ...answer,
      currency_info: Type.Union([Type.Ref('Currency'), Type.Null()], {
        description: 'Its currency, null if it has none.',
      }),
    }),
    Updated: Type.Object(answer),
    ...bodiesOf(kind),
    Search: searchSchemaOf(kind),
  }
}

/** What is sent of a document and of its lines: an update, a new one, a row of many. */
function bodiesOf(kind: Described): Pick<Schemas, 'Edit' | 'New' | 'Row' | 'NewLine' | 'LineEdit'> {
  const { lines, noun } = kind
  const Edit = editOf(kind)
  const { document: ofDocument, line: ofLine } = samplesOf(kind)
  const NewLine = named(
    `New${pascal(lines.noun)}`,
    Type.Object(
      {
        ...mapped(lines.fields, ({ sent }, name) => (name === 'unit_price' ? sent : Type.Optional(sent))),
        ...ignoredOfLine(kind),
      },
      { examples: [ofLine] },
    ),
  )
  const LineEdit = Type.Object(
    { ...mapped(lines.fields, ({ sent }) => Type.Optional(sent)), ...ignoredOfLine(kind) },
    { examples: [ofLine] },
  )
  const around = Object.fromEntries(aroundDocument(kind).map((name) => [name, Type.Optional(ignoredInBodies)]))
  const items = (description: string) => Type.Optional(Type.Array(NewLine, { maxItems: mostLines, description }))
  return {
    Edit: Type.Object(
      {
        ...Edit.properties,
        [lines.plural]: Type.Optional(
          Type.Array(lineChange(LineEdit), {
            maxItems: mostLines,
            description: `Lines to change, by their \`id\`, and lines to add, without one. Lines that are not named stay; they are removed under \`/${kind.plural}/{id}/items\`.`,
          }),
        ),
        items: Type.Optional(
          Type.Unknown({
            description: `Ignored, and named in X-Ignored-Fields: the lines of an update are \`${lines.plural}\`.`,
          }),
        ),
        ...around,
      },
      { examples: [{ ...ofDocument, [lines.plural]: [ofLine] }] },
    ),
    New: Type.Object(
      {
        ...Edit.properties,
        ...around,
        ...createdOf(kind),
        items: items('Lines to begin with.'),
        [lines.plural]: items('The same as `items`, by the name that answers have.'),
      },
      { examples: [{ ...ofDocument, ...exampleOfCreation(kind), external_id: 'TMS-88213', items: [ofLine] }] },
    ),
    Row: Type.Object(
      {
        ...Edit.properties,
        id: Type.Optional(
          Type.Unknown({
            description: `Names the ${noun} to update where the row has no \`external_id\`; of no ${noun} here, it is ignored.`,
          }),
        ),
        ...Type.Partial(Type.Object(createdOf(kind))).properties,
        external_id: Type.Optional(
          nullable(
            Text(
              `The id it has elsewhere. Where ${withArticle(noun)} has it, that one is updated; else one is created with it.`,
              'TMS-88213',
            ),
          ),
        ),
        items: items(
          'The lines. On an update they replace those that are there; a line with the `id` of one keeps it.',
        ),
        [lines.plural]: items('The same as `items`, by the name that answers and exports have.'),
      },
      {
        examples: [
          { ...ofDocument, ...exampleOfCreation(kind), external_id: 'TMS-88213', status_id: 'saved', items: [ofLine] },
        ],
      },
    ),
    NewLine,
    LineEdit,
  }
}

/** What only the body that creates a document sets. */
function createdOf({ fields }: Described): Record<string, TSchema> {
  return Object.fromEntries(
    namesOf(fields, 'creation').map((name) => [name, (fields[name] as Field).created as TSchema]),
  )
}

/**
 * What a body of each sends by way of example: content, and no ids, because whoever tries it has other records. The same body works for a new
 * document and for one that is there.
 */
function samplesOf({ fields, lines }: Described): Record<'document' | 'line', Record<string, unknown>> {
  const sampleOf = (all: Fields) => {
    const names = namesOf(all, 'client').filter((name) => all[name]?.column !== 'uuid' && all[name]?.isContent)
    return Object.fromEntries(
      names.map((name) => [name, ((all[name] as Field).sent as { examples?: unknown[] }).examples?.[0]]),
    )
  }
  return { document: sampleOf(fields), line: sampleOf(lines.fields) }
}

/** A document can be sent back as it was read: fields that clients cannot set are accepted, and ignored. */
function editOf({ fields, options = {}, wording }: Described): TObject {
  const sent = (...names: string[]) => Object.fromEntries(names.map((name) => [name, (fields[name] as Field).sent]))
  const [state, ...times] = namesOf(fields, 'move') as [string, ...string[]]
  return Type.Partial(
    Type.Object({
      ...sent(...namesOf(fields, 'client'), state),
      reason: Type.String({
        maxLength: 1000,
        description: 'Needed to reopen what is paid.',
        examples: [wording.reasonExample],
      }),
      ...options,
      ...sent(...times, ...namesOf(fields, 'sum'), ...namesOf(fields, 'server', 'creation')),
    }),
  ) as TObject
}

function answerOf({ noun, lines }: Described) {
  const Line = Type.Ref(pascal(lines.noun))
  return {
    [noun]: Type.Ref(pascal(noun)),
    created_by: Type.String({
      description:
        'Who created it: the id of a user, or of an application that acted for itself, as in v2’s `createdBy`.',
      examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
    }),
    [lines.noun]: Type.Union([Line, Type.Null()], { description: 'The first line, null if there is none.' }),
    [lines.plural]: Type.Array(Line, { description: 'All lines, in order.' }),
    pay_term: Type.Union([Type.Ref('PayTerm'), Type.Null()], { description: 'Its pay term, null if it has none.' }),
  }
}

function lineOf({ noun, lines, wording }: Described): TObject {
  return Type.Object(
    {
      id: Id('The line.'),
      created_at: Time('When it was added.'),
      updated_at: Time('When it was last changed.'),
      [lines.parentKey]: Id(`The ${noun} it is on.`),
      ...mapped(lines.fields, ({ schema }) => schema),
      total_amount: Amount('Unit price times quantity, computed here.', 185000),
      tax_amount: Amount('Its part of the tax under its tax rate, computed here; 0 without one.', 0),
      position: Type.Integer({ minimum: 1, description: `Its place on the ${noun}, from 1.`, examples: [1] }),
      ...(lines.type && {
        [lines.type.name]: Type.Union([Type.Ref(pascal(lines.type.name)), Type.Null()], {
          description: 'The type of the line, null if it has none.',
        }),
      }),
    },
    { $id: pascal(lines.noun), description: wording.line },
  )
}

/** A line of an update: the one of this id, or a new one. */
function lineChange({ properties }: TObject): TObject {
  const id = nullable(Id('The line to change; without it, or with null, the line is added.'))
  return Type.Object({ ...properties, id: Type.Optional(id) })
}

function ignoredOfLine(kind: Described): Record<string, TSchema> {
  const sent = Type.Unknown({ description: 'Ignored, and named in X-Ignored-Fields where it is not what it was.' })
  return Object.fromEntries(serverNames(kind).map((name) => [name, Type.Optional(sent)]))
}

/** The order in which clients have always seen these; it means nothing. */
const answersStartWith = ['created_at', 'updated_at', 'id', 'created_by', 'org_id']

function mapped(fields: Shape['fields'], schema: (field: Field, name: string) => TSchema): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schema(field, name)]))
}
