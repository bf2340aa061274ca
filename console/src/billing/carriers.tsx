import type { Schemas } from '@lading/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import type { Choice } from '../parts/choices.ts'
import { RemoteSelect } from '../parts/remote-select.tsx'

export type Carrier = Schemas['PartnerCarrier']

const choiceOf = ({ id, name }: Carrier): Choice => ({ value: id, label: name })

const search = (term: string) =>
  queryOptions({
    queryKey: ['carriers', 'search', term],
    queryFn: async () => {
      const query = { limit: 50, sort: ['name' as const], ...(term && { search_term: term }) }
      return (await answered(lading.GET('/api/v1/partner_carriers', { params: { query } }))).partner_carriers.map(choiceOf)
    },
  })

export const carrierQuery = (id: string) =>
  queryOptions({
    queryKey: ['carriers', id],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/partner_carriers/{partnerCarrierID}', { params: { path: { partnerCarrierID: id } } }))).partner_carrier,
  })

const one = (id: string) =>
  queryOptions({
    queryKey: ['carriers', 'one', id],
    queryFn: async ({ client }) => [choiceOf(await client.ensureQueryData(carrierQuery(id)))],
  })

export function CarrierSelect(props: Omit<Parameters<typeof RemoteSelect>[0], 'search' | 'one'>) {
  return <RemoteSelect label="Carrier" clearable {...props} search={search} one={one} />
}

/** The name of a carrier; its id where no carrier with that id is kept here. */
export function CarrierName({ id }: { id: string | null }) {
  const { data, isPending } = useQuery({ ...carrierQuery(id ?? ''), enabled: id !== null })
  if (id === null) return '–'
  return data?.name ?? (isPending ? '…' : id)
}
