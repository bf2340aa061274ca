import { invalid } from '../refusal.ts'

/** The largest whole number that every JSON reader holds exactly. Amounts are in the currency's minor unit. */
export const largestAmount = Number.MAX_SAFE_INTEGER

/** A product of two amounts, or a refusal that names the field: never a rounded number. */
export function product(unitPrice: number, quantity: number, field: string): number {
  return exact(BigInt(unitPrice) * BigInt(quantity), field)
}

export function sum(amounts: readonly number[], field: string): number {
  return exact(
    amounts.reduce((total, amount) => total + BigInt(amount), 0n),
    field,
  )
}

function exact(amount: bigint, field: string): number {
  if (amount > BigInt(largestAmount) || amount < -BigInt(largestAmount)) {
    throw invalid(
      field,
      'amount_too_large',
      `"${field}" would be ${amount}, which is beyond ±${largestAmount}, the largest amount that can be kept exactly.`,
    )
  }
  return Number(amount)
}
