import Type from 'typebox'
import { Id, Moment, nullable, Text, Time } from '../../../../platform/core/schema/schema.ts'
import { Amount } from './amount.ts'
import {
  clientField,
  type date,
  type EditOf,
  type Field,
  type Fields,
  type id,
  type RecordOf,
  serverField,
} from './fields.ts'
import { statuses } from './lifecycle.ts'
import { normalId } from './normal.ts'
import { withArticle } from './shape.ts'

type Names = { noun: string; plural: string }

export const paymentStatuses = ['unpaid', 'partially_paid', 'paid', 'overpaid'] as const

/**
 * The fields of a kind of document: those that every kind has, around those that clients set (`client`) and those that only the server sets
 * (`own`). The order is that of the schemas.
 */
export function documentFields<C extends NeededFields, O extends Fields>(
  { noun, numberExample }: Names & { numberExample: string },
  client: C,
  own: O,
) {
  return {
    id: serverField(Id(`The ${noun}.`), 'uuid', { csv: 'text' }),
    org_id: serverField(Id('The organization.'), 'uuid'),
    created_at: serverField(Time('When it was created.'), 'timestamptz', { isSortable: true }),
    updated_at: serverField(Time('When it was last changed.'), 'timestamptz', { isSortable: true }),
    created_by: serverField(
      Type.String({
        description:
          'Who created it: the id of a user, or of an application that acted for itself, as in v2’s `createdBy`.',
        examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'],
      }),
      'text',
    ),
    status_id: {
      ...serverField(Type.Enum(statuses, { description: `Where the ${noun} stands.`, examples: ['saved'] }), 'text', {
        csv: 'text',
      }),
      sent: Type.Enum(statuses, { description: 'Asks for a move; the same one changes nothing.', examples: ['saved'] }),
      setBy: 'move' as const,
      blank: 'draft',
    },
    ...client,
    full_id: serverField(Id(`A second id to refer to the ${noun} by.`), 'uuid'),
    external_id: {
      ...serverField(
        nullable(Text('The id it has elsewhere; unique in the organization, settable on creation only.', 'TMS-88213')),
        'text',
        { csv: 'text' },
      ),
      setBy: 'creation' as const,
      created: Type.Optional(nullable(Text('The id it has elsewhere; unique in the organization.', 'TMS-88213'))),
    },
    revision: serverField(
      Type.Integer({
        minimum: 1,
        description: 'Rises by one with every change; the number in the ETag.',
        examples: [3],
      }),
      'int',
    ),
    sent_at: timeOfMove('When it was last sent.', `Applied when the ${noun} is, or becomes, sent.`),
    paid_at: timeOfMove(
      'When it was paid.',
      `Applied when the ${noun} becomes paid. Another time than was recorded of what is paid is a 409 \`already_paid\`.`,
    ),
    sub_total_amount: sumField('The sum of the lines.', 185000, noun),
    tax_amount: {
      ...sumField('The tax; 0 while tax is off.', 0, noun),
      sent: Type.Unknown({
        description: `The tax, set by hand. It applies while \`is_tax_on\` is true and no line carries a tax rate; switched off and on again, it comes back.`,
        examples: [0],
      }),
    },
    total_amount: {
      ...serverField(Amount('Sub total and tax.', 185000), 'bigint', {
        isSortable: true,
        filter: {
          by: 'amounts',
          least: 'min_total_amount',
          most: 'max_total_amount',
          descriptions: ['At least this total.', 'At most this total.'],
        },
      }),
      blank: 0,
    },
    kept_tax_amount: serverField(
      nullable(
        Amount(
          'The tax that was set by hand and does not count, because tax is off or lines carry tax rates. It comes back when it counts; null while it does.',
          1500,
        ),
      ),
      'bigint',
    ),
    ...moneyFields(noun),
    number: serverField(
      nullable(Type.String({ description: 'The number people read; given on saving.', examples: [numberExample] })),
      'int',
      {
        isSortable: true,
      },
    ),
    ...own,
    available_actions: {
      ...serverField(
        Type.Array(Type.String(), {
          description:
            'What can be done with it next: the moves `save`, `send`, `pay`, `reopen` and `draft`, and `void`, `correct`, `reprice` and `delete`. Of `reprice` it is not looked up whether a rate is known.',
          examples: [['send', 'pay', 'void', 'correct']],
        }),
        null,
        { csv: 'none' },
      ),
      blank: [],
    },
  }
}

/** What was paid of it and is still due, whether it was voided, and what it comes to in the home currency. Payments and rates change these, so they are no content. */
function moneyFields(noun: string) {
  const noContent = { isContent: false }
  return {
    amount_paid: {
      ...serverField(Amount('What payments and credits have settled of it.', 60000), 'bigint', noContent),
      blank: 0,
    },
    amount_due: {
      ...serverField(Amount('What is left to pay; 0 where it is voided.', 125000), null, noContent),
      blank: 0,
    },
    payment_status: {
      ...serverField(
        Type.Enum(paymentStatuses, { description: 'How much of it is paid.', examples: ['partially_paid'] }),
        null,
        noContent,
      ),
      blank: 'unpaid' as const,
    },
    voided_at: serverField(
      nullable(Time(`When the ${noun} was voided; null while it stands.`)),
      'timestamptz',
      noContent,
    ),
    void_reason: serverField(
      nullable(Type.String({ description: 'Why it was voided.', examples: ['Entered twice'] })),
      'text',
      noContent,
    ),
    exchange_rate: serverField(
      nullable(
        Type.String({
          description: 'The rate to the home currency on its date, a decimal number; null where none was known.',
          examples: ['1.0842'],
        }),
      ),
      'numeric',
      noContent,
    ),
    home_currency_id: serverField(
      nullable(Type.String({ description: 'The home currency of the organization at that time.', examples: ['usd'] })),
      'text',
      noContent,
    ),
    home_total_amount: serverField(nullable(Amount('The total in the home currency.', 200577)), 'bigint', noContent),
  }
}

/** What the shared rules need clients to be able to set. */
export type NeededFields = Fields & {
  currency_id: ReturnType<typeof currency>
  pay_term_id: ReturnType<typeof id>
  due_date: ReturnType<typeof date>
  is_tax_on: ReturnType<typeof taxSwitch>
}

/** What every kind of document has. */
export type Document = RecordOf<ReturnType<typeof documentFields<Pick<NeededFields, Needed>, Record<never, Field>>>>
/** What an update may send of every kind of document. */
export type Edit = EditOf<Pick<NeededFields, Needed>>
type Needed = 'currency_id' | 'pay_term_id' | 'due_date' | 'is_tax_on'

export function currency({ noun, plural }: Names) {
  return clientField(
    nullable(
      Type.String({
        maxLength: 3,
        description: `The lower-case ISO 4217 code. Can change while the ${noun} is a draft, or saved and without lines.`,
        examples: ['usd'],
      }),
    ),
    'text',
    'text',
    (sent) => normalId(sent as string | null),
    { filter: { by: 'any', name: 'currency_ids', description: `Keeps the ${plural} in these currencies.` } },
  )
}

/** Whether tax applies: never null in answers, and null in a body means no. */
export function taxSwitch() {
  const schema = Type.Boolean({ description: 'Whether tax applies; if not, the tax is 0.', examples: [false] })
  const field = clientField(schema, 'boolean', 'boolean', (sent) => sent ?? false, {})
  return { ...field, sent: nullable(schema), blank: false } satisfies Field
}

function timeOfMove(description: string, sent: string) {
  return {
    ...serverField(nullable(Time(description)), 'timestamptz', { csv: 'text' }),
    sent: nullable(Moment(sent, '2026-11-15T09:30:00.000Z')),
    setBy: 'move' as const,
  }
}

function sumField(description: string, example: number, noun: string) {
  const sent = Type.Unknown({ description: `Applied on ${withArticle(noun)} without lines.`, examples: [example] })
  return {
    ...serverField(Amount(description, example), 'bigint', { csv: 'integer' }),
    sent,
    setBy: 'sum' as const,
    blank: 0,
  }
}
