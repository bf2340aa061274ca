import { sumOf } from '../../../app/values/money.ts'
import type { Document } from '../document.ts'

type Money = (amount: bigint, currencyId: string) => string

/** What documents come to, in every currency: `$502.00 + €18.40`. Drafts without a currency are left out. */
export function sumsOf(documents: readonly Pick<Document, 'currency_id' | 'total_amount'>[], money: Money): string {
  const byCurrency = Map.groupBy(documents, ({ currency_id }) => currency_id)
  return [...byCurrency]
    .flatMap(([currency, some]) =>
      currency === null ? [] : [money(sumOf(some.map(({ total_amount }) => total_amount)), currency)],
    )
    .join(' + ')
}
