import Type from 'typebox'
import { Amount } from './amount.ts'
import { type ContentOf, clientField, type Fields, id, text } from './fields.ts'

/** The fields that clients set of a line: those of the kind (`own`), then those that every line has. */
export function lineFields<O extends Fields>(
  own: O,
  { description, example }: { description: string; example: string },
) {
  return {
    ...own,
    unit_price: clientField(
      Amount('The price of one; negative for a deduction.', 92500),
      'bigint',
      'none',
      (sent) => sent,
      {},
    ),
    quantity: {
      ...clientField(
        Type.Integer({
          minimum: -Number.MAX_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'How many.',
          examples: [2],
        }),
        'bigint',
        'none',
        (sent) => sent,
        {},
      ),
      blank: 1,
    },
    tax_rate_id: id(
      'The tax rate of the line; null for none. It must exist. If any line has one, the tax of the document is that of its lines.',
    ),
    description: text(description, example),
  }
}

/** What clients set of every line. */
export type LineContent = ContentOf<ReturnType<typeof lineFields<Record<never, never>>>>
export type NewLine = Partial<LineContent> & Pick<LineContent, 'unit_price'>
export type LineEdit = Partial<LineContent>

/** A line with its total, and its tax. */
export type PricedLine = LineContent & { total_amount: number; tax_amount: number }
/** A line that is there. */
export type Line = PricedLine & { id: string; created_at: string; updated_at: string; position: number }
/** A line as it will be; one that was there keeps its id and its times. */
export type RowLine = PricedLine & { id?: string; created_at?: string; updated_at?: string }

/** What a new line of one kind of document can have. */
export type NewLineOf<L> = Partial<ContentOf<L>> & Pick<LineContent, 'unit_price'>
