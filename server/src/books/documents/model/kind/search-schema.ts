import Type, { type TObject, type TSchema } from 'typebox'
import { Numbers } from '../../../../platform/core/schema/numbers.ts'
import { changedBetween, Moment, paging } from '../../../../platform/core/schema/schema.ts'
import { Amount } from '../fields/amount.ts'
import { type Field, type Filter, parties } from '../fields/fields.ts'
import { statuses } from '../fields/lifecycle.ts'
import { putFirst, type Shape } from '../fields/shape.ts'

type Searched = Shape & { numberPrefix: string; filters: Readonly<Record<string, { schema: TSchema }>> }

/** The parameters of a search of one kind of document. */
export function searchSchemaOf({ fields, filters, plural, numberPrefix }: Searched): TObject {
  const own = (...by: Filter['by'][]) =>
    Object.values(fields).flatMap((field) =>
      field.filter && by.includes(field.filter.by) ? [[field.filter, field] as const] : [],
    )
  const parameters = (...by: Filter['by'][]) =>
    Object.fromEntries(own(...by).flatMap(([filter, field]) => parametersOf(filter, field)))
  const ids = Object.fromEntries(
    own('any').flatMap(([filter, field]) => (field.column === 'uuid' ? parametersOf(filter, field) : [])),
  )
  return Type.Object({
    search_term: Type.Optional(
      Type.String({
        maxLength: 255,
        description: `Keeps the ${plural} that have every word of this text somewhere in their number, their reference number or ${whoOf(fields)}, upper and lower case the same.`,
        examples: ['cascade 20417'],
      }),
    ),
    ...Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, schema])),
    status_ids: Type.Optional(
      Type.Array(Type.Enum(statuses), {
        maxItems: 50,
        description: `Keeps the ${plural} in one of these states.`,
        examples: [['sent', 'paid']],
      }),
    ),
    ids: idList(`Keeps the ${plural} with these ids.`),
    number: Numbers(`${numberPrefix.toUpperCase()}-000123`),
    created_start_at: at('Created at or after.'),
    created_end_at: at('Created at or before.'),
    ...changedBetween,
    ...parameters('times'),
    ...ids,
    ...parameters('any', 'text', 'amounts'),
    unpaid: Type.Optional(
      Type.Boolean({ description: 'With true keeps what is not paid, with false what is.', examples: [true] }),
    ),
    overdue: Type.Optional(
      Type.Boolean({
        description:
          'With true keeps what is not paid, no draft, and was due before today, in the time zone of the organization; with false the rest.',
        examples: [true],
      }),
    ),
    missing_rate: Type.Optional(
      Type.Boolean({
        description: 'With true keeps what is no draft and has no rate to the home currency, with false what has one.',
        examples: [true],
      }),
    ),
    include_voided: Type.Optional(
      Type.Boolean({
        default: false,
        description: `With true, ${plural} that were voided are found too.`,
        examples: [true],
      }),
    ),
    sort: Type.Optional(
      Type.Enum(sortsOf(fields), {
        description:
          'The order, with - in front for descending; -created_at unless said. Equal ones are ordered by id.',
        examples: ['-created_at'],
      }),
    ),
    ...paging,
  })
}

/** Whose names are searched. */
function whoOf(fields: Shape['fields']): string {
  const searched = parties.filter((party) => Object.values(fields).some((field) => field.searched === party))
  const names = searched.flatMap((party) => (party === 'partner' ? ['payee', 'partner'] : [party]))
  return `the name of their ${names.length > 0 ? names.join(', ').replace(/, (?=[^,]*$)/, ' or ') : 'payee'}`
}

export const idList = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), {
      maxItems: 500,
      description,
      examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
    }),
  )

/** The order in which clients have always seen these; it means nothing. */
const sortsStartWith = ['created_at', 'updated_at', 'due_date']

function sortsOf(fields: Shape['fields']): string[] {
  return Object.entries(putFirst(sortsStartWith, fields)).flatMap(([name, { isSortable }]) =>
    isSortable ? [name, `-${name}`] : [],
  )
}

function parametersOf(filter: Filter, { column }: Field): [string, TSchema][] {
  switch (filter.by) {
    case 'times':
      return [
        [filter.start, at(filter.descriptions[0])],
        [filter.end, at(filter.descriptions[1])],
        ...(filter.isSet ? [isSetParameter(filter.isSet)] : []),
      ]
    case 'any':
      return [
        [
          filter.name,
          filter.values
            ? valueList(filter.description, filter.values)
            : column === 'uuid'
              ? idList(filter.description)
              : codeList(filter.description),
        ],
      ]
    case 'text':
      return [
        [
          filter.name,
          Type.Optional(Type.String({ maxLength: 255, description: filter.description, examples: [filter.example] })),
        ],
      ]
    case 'amounts':
      return [
        [filter.least, Type.Optional(Amount(filter.descriptions[0], 100))],
        [filter.most, Type.Optional(Amount(filter.descriptions[1], 500000))],
      ]
  }
}

function isSetParameter({ name, description }: { name: string; description: string }): [string, TSchema] {
  return [name, Type.Optional(Type.Boolean({ description, examples: [false] }))]
}

const at = (description: string) => Type.Optional(Moment(`${description} Inclusive; a bare date means the whole day.`))

const codeList = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 3 }), { maxItems: 200, description, examples: [['usd']] }))

const valueList = (description: string, values: readonly string[]) =>
  Type.Optional(Type.Array(Type.Enum([...values]), { maxItems: 50, description, examples: [[values[0]]] }))
