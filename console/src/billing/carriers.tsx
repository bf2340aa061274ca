import type { Schemas } from '@lading/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { answered } from '../api/problem.ts'
import { lading } from '../api/session.ts'
import { nameQuery } from '../objects/names.ts'
import { NamedObjectLink, ObjectName } from '../objects/object-name.tsx'
import type { Choice } from '../parts/choices.ts'
import { RemoteSelect } from '../parts/remote-select.tsx'
import { type Address, payeeOf } from './address.ts'

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
  return id === null ? '–' : <ObjectName objectKey="partner" id={id} />
}

type Paid = { remit_to: Address | null; partner_carrier_id: string | null }

/** Whose work it is, with a link to the carrier, and who is paid for it where that is somebody else. */
export function CarrierAndPayee({ document }: { document: Paid }) {
  const { partner_carrier_id: id } = document
  const { data } = useQuery({ ...nameQuery('partner', id ?? ''), enabled: id !== null })
  const payee = payeeOf(document)
  if (id === null) return payee ?? 'No payee yet'
  return (
    <>
      <span>
        Carrier <NamedObjectLink objectKey="partner" id={id} inText />
      </span>
      {payee && payee !== data?.name && <span>Paid to {payee}</span>}
    </>
  )
}

/** The name, which leads to the page of the carrier. */
export function CarrierLink({ id }: { id: string }) {
  return <NamedObjectLink objectKey="partner" id={id} />
}
