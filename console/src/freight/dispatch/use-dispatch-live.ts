import { useDebouncedCallback } from '@mantine/hooks'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { type LiveState, useLive } from '../../developers/events/use-live.ts'

const types = ['manifest.*', 'order.*', 'equipment.*', 'partner.*']

/** Where the feed stands when the page is opened. */
const positionQuery = queryOptions({
  queryKey: ['events', 'position of dispatch'],
  queryFn: async () =>
    (await answered(lading.GET('/api/v1/events', { params: { query: { newest_first: true, limit: 1, types } } })))
      .next_after,
  staleTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

/** Reads the board again when a manifest, an order, a unit or a carrier has changed, by whomever. */
export function useDispatchLive(): LiveState {
  const queryClient = useQueryClient()
  const { data, refetch } = useQuery(positionQuery)
  // One request can change many records, each with an event.
  const readAgain = useDebouncedCallback(
    () => void queryClient.invalidateQueries({ queryKey: ['objects', 'dispatch'] }),
    300,
  )
  return useLive({ after: data ?? undefined, types, isOn: true, onEvent: readAgain, onExpired: () => void refetch() })
}
