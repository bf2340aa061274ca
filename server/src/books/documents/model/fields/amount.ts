import Type from 'typebox'
import { invalid, quote } from '../../../../platform/core/refusal.ts'
import { largestAmount } from '../../../../platform/core/values/money.ts'

export const Amount = (description: string, example: number) =>
  Type.Integer({
    minimum: -largestAmount,
    maximum: largestAmount,
    description: `${description} In the minor unit of the currency (cents).`,
    examples: [example],
  })

/** An amount whose schema takes anything, because it is only looked at where it applies. */
export function amountIn(sent: unknown, field: string): number {
  if (sent === null) return 0
  if (!Number.isInteger(sent) || Math.abs(sent as number) > largestAmount)
    throw invalid(
      field,
      'wrong_type',
      `"${field}" must be a whole number of minor units within ±${largestAmount}, not ${quote(sent)}.`,
    )
  return sent as number
}
