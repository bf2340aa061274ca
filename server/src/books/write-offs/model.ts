import Type from 'typebox'
import { Id } from '../../platform/core/schema/schema.ts'

/** What the bill item type of write-offs is called where the organization has none: it is looked for by this name, and made. */
export const typeName = 'Write-off'

export const WriteOffBody = Type.Object(
  {
    amount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'How much is written off, more than 0; all that is due unless said. In the minor unit of the currency (cents).',
        examples: [12500],
      }),
    ),
    reason: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Why.',
      examples: ['The customer is insolvent'],
    }),
    bill_item_type_id: Type.Optional(
      Id(
        'The type of the lines of the credit that is made; the type named “Write-off” unless said, which is made where there is none.',
      ),
    ),
  },
  { examples: [{ reason: 'The customer is insolvent' }] },
)
export type WriteOffBody = { amount?: number; reason: string; bill_item_type_id?: string }

type Line = { order_id?: string | null; total_amount: number }

/** What is written off of each order of an invoice: in proportion to what the invoice charges for it, and in all exactly the amount. */
export function shareByOrder(lines: readonly Line[], amount: number): { order_id: string | null; amount: number }[] {
  const charged = new Map<string | null, bigint>()
  for (const { order_id = null, total_amount } of lines)
    charged.set(order_id, (charged.get(order_id) ?? 0n) + BigInt(total_amount))
  const positive = [...charged].filter(([, total]) => total > 0n)
  const whole = positive.reduce((sum, [, total]) => sum + total, 0n)
  if (whole === 0n) return [{ order_id: null, amount }]
  let [before, upTo] = [0n, 0n]
  return positive.flatMap(([order_id, total]) => {
    upTo += total
    const given = (BigInt(amount) * upTo) / whole
    const share = Number(given - before)
    before = given
    return share > 0 ? [{ order_id, amount: share }] : []
  })
}
