import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'

export type PayingAccount = Schemas['PayingAccount']

const path = (currencyID: string) => ({ params: { path: { currencyID } } })
const changed = { touches: ['paying-accounts'] }

export const accountsQuery = queryOptions({
  queryKey: ['paying-accounts'],
  queryFn: async () => (await answered(lading.GET('/api/v1/paying_accounts'))).paying_accounts,
})

export const accountQuery = (currency: string) =>
  queryOptions({
    queryKey: ['paying-accounts', currency],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/paying_accounts/{currencyID}', path(currency)))).paying_account,
  })

/** A new one has no revision yet. */
export function useSetAccount() {
  return useChange(
    ({ currency, body, revision }: { currency: string; body: object; revision: number | null }) =>
      answered(
        lading.PUT('/api/v1/paying_accounts/{currencyID}', {
          ...path(currency),
          ...(revision !== null && ifUnchanged(revision)),
          body,
        }),
      ),
    changed,
  )
}

export function useDeleteAccount({ currency_id, revision }: PayingAccount) {
  return useChange(
    () =>
      answered(
        lading.DELETE('/api/v1/paying_accounts/{currencyID}', { ...path(currency_id), ...ifUnchanged(revision) }),
      ),
    changed,
  )
}
