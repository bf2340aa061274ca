import type { Paths } from '@lading/sdk'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { ifUnchanged, useChange } from '../../../app/api/changes.ts'
import { everyRow } from '../../../app/api/every-row.ts'
import { answered } from '../../../app/api/problem.ts'
import { lading } from '../../../app/api/session.ts'
import { today } from '../../../app/values/dates.ts'
import { wordsOf } from '../../../records/kinds/kind.ts'
import { daysFrom } from './days.ts'
import { type DispatchSearch, statesIn } from './search.ts'
import type { Trip } from './trip.ts'

const all = ['objects', 'dispatch']
const most = 200
/** Positions write no events, so they are asked for while the page is in view; on the map, which shows little else, every few seconds. */
const refetchInterval = 15_000
export const mapInterval = 5_000

type TripsQuery = NonNullable<Paths['/api/v1/dispatch/manifests']['get']['parameters']['query']>

/** Part of the key of all objects: it is read again when one of them changes. */
export const tripsQuery = (query: TripsQuery) =>
  queryOptions({
    queryKey: [...all, 'manifests', query],
    queryFn: () => answered(lading.GET('/api/v1/dispatch/manifests', { params: { query: { limit: most, ...query } } })),
    refetchInterval,
    placeholderData: keepPreviousData,
  })

export function filtersOf({ q, carrier, equipment, driver, from, to }: DispatchSearch): TripsQuery {
  return {
    ...(q && { q }),
    ...(carrier && { partner_carrier_ids: [carrier] }),
    ...(equipment && { equipment_ids: [equipment] }),
    ...(driver && { driver }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

export const over = ['completed', 'cancelled']
const shownDays = 3

/** The manifests of the board: all that are not over, and of those that are the ones of the last days. */
export function useBoard(search: DispatchSearch) {
  const states = statesIn(search)
  const [live, done] = [states.filter((state) => !over.includes(state)), states.filter((state) => over.includes(state))]
  const filters = filtersOf(search)
  const going = useQuery({ ...tripsQuery({ ...filters, status_ids: live as string[] }), enabled: live.length > 0 })
  const ended = useQuery({
    ...tripsQuery({ from: daysFrom(today(), -shownDays), ...filters, status_ids: done as string[] }),
    enabled: done.length > 0,
  })
  const asked = [...(live.length > 0 ? [going] : []), ...(done.length > 0 ? [ended] : [])]
  return {
    states,
    error: asked.find(({ error }) => error)?.error ?? null,
    refetch: () => void Promise.all(asked.map(({ refetch }) => refetch())),
    isLoaded: asked.every(({ data }) => data !== undefined),
    trips: asked.flatMap(({ data }) => data?.manifests ?? []),
    /** How many more there are than are shown. */
    hidden: asked.reduce((sum, { data }) => sum + (data ? data.total - data.manifests.length : 0), 0),
  }
}

export const tripQuery = (id: string) =>
  queryOptions({
    queryKey: [...all, 'manifest', id],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/dispatch/manifests', { params: { query: { ids: [id] } } }))).manifests[0] ??
      null,
    refetchInterval,
  })

export const waitingQuery = (q: string) =>
  queryOptions({
    queryKey: [...all, 'orders', q],
    queryFn: () =>
      answered(lading.GET('/api/v1/dispatch/orders', { params: { query: { limit: most, ...(q && { q }) } } })),
    placeholderData: keepPreviousData,
  })

/** The units that are not out of use, for the rows of the timeline. */
export const unitsQuery = queryOptions({
  queryKey: [...all, 'equipment'],
  queryFn: async () => {
    const equipment = await everyRow('equipment', (paging) =>
      answered(
        lading.GET('/api/v1/equipment', {
          params: { query: { ...paging, status_ids: ['active', 'maintenance'], sort: ['name'] } },
        }),
      ),
    )
    return equipment as unknown as { id: string; name: string; status: string; partner_carrier_id: string | null }[]
  },
})

type Moved = { moved: readonly { full_id: string; to: string }[] }

const changed = { touches: ['objects'], evenIfRefused: true }
const of = (manifestID: string) => ({ params: { path: { manifestID } } })

/** Moves a manifest; answers what was moved, in words. */
export function useMove() {
  return useChange(
    async ({ id, to, at }: { id: string; to: string; at?: string | undefined }) =>
      inWords(
        await answered(
          lading.POST('/api/v1/dispatch/manifests/{manifestID}/move', {
            ...of(id),
            body: { to: to as 'planned', ...(at && { at }) },
          }),
        ),
      ),
    changed,
  )
}

/** Makes a manifest of orders; answers it. */
export function usePlan() {
  return useChange(async (order_ids: string[]) => {
    const { manifest, planning_findings: findings } = await answered(
      lading.POST('/api/v1/dispatch/manifests', { body: { order_ids } }),
    )
    return { ...(manifest as unknown as { id: string; full_id: string }), findings }
  }, changed)
}

export function useAddOrders() {
  return useChange(
    async ({ id, order_ids }: { id: string; order_ids: string[] }) =>
      answered(lading.POST('/api/v1/dispatch/manifests/{manifestID}/orders', { ...of(id), body: { order_ids } })),
    changed,
  )
}

export function useTakeOff(manifestID: string) {
  return useChange(
    (orderID: string) =>
      answered(
        lading.DELETE('/api/v1/manifests/{manifestID}/orders/{orderID}', { params: { path: { manifestID, orderID } } }),
      ),
    changed,
  )
}

export function useSequence({ id, revision }: Trip) {
  return useChange(
    (stop_ids: string[]) =>
      answered(
        lading.PUT('/api/v1/dispatch/manifests/{manifestID}/sequence', {
          ...of(id),
          ...ifUnchanged(revision),
          body: { stop_ids },
        }),
      ),
    changed,
  )
}

export type Crew = {
  partner_carrier_id: string | null
  driver_name: string | null
  driver_phone: string | null
  equipment_id: string | null
}

export function useAssign({ id, revision }: Trip) {
  return useChange(
    (crew: Crew) =>
      answered(lading.PUT('/api/v1/manifests/{manifestID}', { ...of(id), ...ifUnchanged(revision), body: crew })),
    changed,
  )
}

function inWords({ moved }: Moved): string {
  return moved.map(({ full_id, to }) => `${full_id} is ${wordsOf(to).toLowerCase()}.`).join(' ') || 'Nothing changed.'
}
