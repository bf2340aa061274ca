import { sumOf } from '../parts/money.ts'
import type { Bill } from './bill.ts'

type Money = (amount: bigint, currencyId: string) => string

/** What bills come to, in every currency: `$502.00 + €18.40`. Drafts without a currency are left out. */
export function sumsOf(bills: readonly Pick<Bill, 'currency_id' | 'total_amount'>[], money: Money): string {
  const byCurrency = Map.groupBy(bills, ({ currency_id }) => currency_id)
  return [...byCurrency]
    .flatMap(([currency, some]) => (currency === null ? [] : [money(sumOf(some.map(({ total_amount }) => total_amount)), currency)]))
    .join(' + ')
}
