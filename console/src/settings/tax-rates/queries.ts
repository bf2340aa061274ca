import type { Schemas } from '@lading/sdk'
import { queryOptions } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'

export type TaxRate = Schemas['TaxRate']
export type Component = TaxRate['components'][number]
export type Content = { name: string; percent?: string; components: Component[]; active: boolean }

const path = (taxRateID: string) => ({ params: { path: { taxRateID } } })
const changed = { touches: ['tax-rates'] }

export const taxRatesQuery = (query: { search_term?: string; limit?: number; offset?: number }) =>
  queryOptions({
    queryKey: ['tax-rates', 'list', query],
    queryFn: () => answered(lading.GET('/api/v1/tax_rates', { params: { query } })),
  })

export const taxRateQuery = (id: string) =>
  queryOptions({
    queryKey: ['tax-rates', id],
    queryFn: async () => (await answered(lading.GET('/api/v1/tax_rates/{taxRateID}', path(id)))).tax_rate,
  })

export const historyQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['tax-rates', id, 'history', limit],
    queryFn: () =>
      answered(
        lading.GET('/api/v1/tax_rates/{taxRateID}/history', { params: { path: { taxRateID: id }, query: { limit } } }),
      ),
  })

const labelOf = ({ name, percent }: Pick<TaxRate, 'name' | 'percent'>) => `${name} · ${percent} %`

/** The choices of a select while the person types: those that lines can be given. */
export const choicesQuery = (term: string) =>
  queryOptions({
    queryKey: ['tax-rates', 'choices', term],
    queryFn: async () => {
      const query = { limit: 50, active: true, ...(term && { search_term: term }) }
      return (await answered(lading.GET('/api/v1/tax_rates', { params: { query } }))).tax_rates.map((rate) => ({
        value: rate.id,
        label: labelOf(rate),
      }))
    },
  })

export const choiceQuery = (id: string) =>
  queryOptions({
    queryKey: ['tax-rates', 'choice', id],
    queryFn: async ({ client }) => [{ value: id, label: labelOf(await client.ensureQueryData(taxRateQuery(id))) }],
  })

export function useCreateTaxRate() {
  return useChange((body: Content) => answered(lading.POST('/api/v1/tax_rates', { body })), changed)
}

export function useUpdateTaxRate(id: string) {
  return useChange(
    ({ changes, revision }: { changes: object; revision: number }) =>
      answered(lading.PUT('/api/v1/tax_rates/{taxRateID}', { ...path(id), ...ifUnchanged(revision), body: changes })),
    changed,
  )
}

export function useDeleteTaxRate({ id, revision }: TaxRate) {
  return useChange(
    () => answered(lading.DELETE('/api/v1/tax_rates/{taxRateID}', { ...path(id), ...ifUnchanged(revision) })),
    changed,
  )
}
