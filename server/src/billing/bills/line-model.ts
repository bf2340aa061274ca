import Type, { type Static } from 'typebox'
import { product, sum } from '../../core/money.ts'
import { Id, nullable, Time } from '../../core/schema.ts'
import { normalId } from '../edits.ts'
import { Amount } from '../schemas.ts'

const content = {
  bill_item_type_id: nullable(Id('The type of the line; must exist.')),
  manifest_payment_item_id: nullable(Id('The payment item of a manifest that the line pays.')),
  manifest_id: nullable(Id('The manifest that the line pays.')),
  unit_price: Amount('The price of one; negative for a deduction.', 92500),
  quantity: Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, description: 'How many.', examples: [2] }),
  description: nullable(Type.String({ maxLength: 1000, description: 'What for.', examples: ['Line haul Portland, OR to Boise, ID'] })),
}

export const BillItem = Type.Object(
  {
    id: Id('The line.'),
    created_at: Time('When it was added.'),
    updated_at: Time('When it was last changed.'),
    bill_id: Id('The bill it is on.'),
    ...content,
    total_amount: Amount('Unit price times quantity, computed here.', 185000),
    position: Type.Integer({ minimum: 1, description: 'Its place on the bill, from 1.', examples: [1] }),
    bill_item_type: Type.Union([Type.Ref('BillItemType'), Type.Null()]),
  },
  { $id: 'BillItem', description: 'A line of a bill.' },
)
export type BillItem = Static<typeof BillItem>

/** A whole line read and sent back must be welcome: what is not the client's to set is known, and ignored. */
const ignored = Object.fromEntries(
  ['id', 'created_at', 'updated_at', 'bill_id', 'total_amount', 'position', 'bill_item_type'].map((name) => [
    name,
    Type.Optional(Type.Unknown({ description: 'Ignored.' })),
  ]),
)

export const NewLine = Type.Object({
  bill_item_type_id: Type.Optional(content.bill_item_type_id),
  manifest_payment_item_id: Type.Optional(content.manifest_payment_item_id),
  manifest_id: Type.Optional(content.manifest_id),
  unit_price: content.unit_price,
  quantity: Type.Optional(content.quantity),
  description: Type.Optional(content.description),
  ...ignored,
})
const NewLineContent = Type.Object({ ...content })
export type LineContent = Static<typeof NewLineContent>
export type NewLine = Partial<LineContent> & Pick<LineContent, 'unit_price'>

export const LineEdit = Type.Object({ ...Object.fromEntries(Object.entries(content).map(([name, schema]) => [name, Type.Optional(schema)])), ...ignored })
export type LineEdit = Partial<LineContent>

export const LineOrder = Type.Object({
  item_ids: Type.Array(Type.String({ format: 'uuid' }), {
    maxItems: 1000,
    description: 'All lines of the bill, in the order they should have.',
    examples: [['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15']],
  }),
})

export type PricedLine = LineContent & { total_amount: number }

export function priced({
  unit_price,
  quantity = 1,
  bill_item_type_id = null,
  manifest_payment_item_id = null,
  manifest_id = null,
  description = null,
}: NewLine): PricedLine {
  return {
    bill_item_type_id: normalId(bill_item_type_id),
    manifest_payment_item_id: normalId(manifest_payment_item_id),
    manifest_id: normalId(manifest_id),
    unit_price,
    quantity,
    description,
    total_amount: product(unit_price, quantity, 'total_amount'),
  }
}

const fields = Object.keys(content) as (keyof LineContent)[]

/** The line as it will be, and whether that differs from what it is. */
export function editLine(current: BillItem, input: LineEdit): { next: PricedLine; changed: boolean } {
  const sent = Object.fromEntries(fields.filter((field) => input[field] !== undefined).map((field) => [field, input[field]]))
  const next = priced({ ...current, ...sent } as NewLine)
  return { next, changed: fields.some((field) => next[field] !== current[field]) }
}

/** The sums that the lines give a bill; its tax stays what it is. */
export function withSums<B extends { tax_amount: number }>(bill: B, lines: readonly { total_amount: number }[]): B & Sums {
  const totals = lines.map(({ total_amount }) => total_amount)
  const sub_total_amount = sum(totals, 'sub_total_amount')
  return { ...bill, sub_total_amount, total_amount: sum([sub_total_amount, bill.tax_amount], 'total_amount') }
}

type Sums = { sub_total_amount: number; total_amount: number }
