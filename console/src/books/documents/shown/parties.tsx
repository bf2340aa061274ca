import { queryOptions, useQuery } from '@tanstack/react-query'
import { answered } from '../../../app/api/problem.ts'
import { lading } from '../../../app/api/session.ts'
import { RemoteSelect } from '../../../app/inputs/remote-select.tsx'
import { type Address, payeeOf } from '../../../app/values/address:ts.ts'
import { nameQuery } from '../../../records/kinds/names.ts'
import { NamedObjectLink, ObjectName } from '../../../records/kinds/object-name.tsx'
import { type Carrier, type Customer, type Party, parties } from '../party.ts'

type Listed = { id: string; name: string }

const list: Record<Party, (query: object) => Promise<Listed[]>> = {
  carrier: async (query) =>
    (await answered(lading.GET('/api/v1/partner_carriers', { params: { query } }))).partner_carriers,
  customer: async (query) => (await answered(lading.GET('/api/v1/customers', { params: { query } }))).customers,
}

const read: Record<Party, (id: string) => Promise<Carrier | Customer>> = {
  carrier: async (partnerCarrierID) =>
    (
      await answered(
        lading.GET('/api/v1/partner_carriers/{partnerCarrierID}', { params: { path: { partnerCarrierID } } }),
      )
    ).partner_carrier,
  customer: async (customerID) =>
    (await answered(lading.GET('/api/v1/customers/{customerID}', { params: { path: { customerID } } }))).customer,
}

const choiceOf = ({ id, name }: Listed) => ({ value: id, label: name })

const search = (party: Party) => (term: string) =>
  queryOptions({
    queryKey: ['parties', party, 'search', term],
    queryFn: async () =>
      (await list[party]({ limit: 50, sort: ['name'], ...(term && { search_term: term }) })).map(choiceOf),
  })

export const partyQuery = (party: Party, id: string) =>
  queryOptions({ queryKey: ['parties', party, id], queryFn: () => read[party](id) })

const one = (party: Party) => (id: string) =>
  queryOptions({
    queryKey: ['parties', party, 'one', id],
    queryFn: async ({ client }) => [choiceOf(await client.ensureQueryData(partyQuery(party, id)))],
  })

export function PartySelect({
  party,
  ...props
}: Omit<Parameters<typeof RemoteSelect>[0], 'search' | 'one'> & { party: Party }) {
  return <RemoteSelect label={parties[party].label} clearable {...props} search={search(party)} one={one(party)} />
}

/** The name of a carrier or customer; its id where none with that id is kept here. */
export function PartyName({ party, id }: { party: Party; id: string | null }) {
  return id === null ? '–' : <ObjectName objectKey={parties[party].objectKey} id={id} />
}

/** The name, which leads to the page of the carrier or customer. */
export function PartyLink({ party, id, inText = false }: { party: Party; id: string; inText?: boolean }) {
  return <NamedObjectLink objectKey={parties[party].objectKey} id={id} inText={inText} />
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
        Carrier <PartyLink party="carrier" id={id} inText />
      </span>
      {payee && payee !== data?.name && <span>Paid to {payee}</span>}
    </>
  )
}
