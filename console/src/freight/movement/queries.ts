import { queryOptions } from '@tanstack/react-query'
import { useChange } from '../../app/api/changes.ts'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import { wordsOf } from '../../records/kinds/kind.ts'

const of = (manifestID: string) => ({ params: { path: { manifestID } } })

/** Part of the key of all objects: it is read again when the manifest changes. */
export const trackQuery = (manifestID: string) =>
  queryOptions({
    queryKey: ['objects', 'track', manifestID],
    // Positions write no events, so they are asked for while the page is in view.
    refetchInterval: 10_000,
    queryFn: async () =>
      (
        await answered(
          lading.GET('/api/v1/manifests/{manifestID}/track', {
            params: { path: { manifestID }, query: { limit: 20 } },
          }),
        )
      ).track,
  })

export type Track = Awaited<ReturnType<NonNullable<ReturnType<typeof trackQuery>['queryFn']>>> & object
/** `skip_stops`: stops before it that were not departed from may be passed over. */
export type Report = { stop: string; what: 'arrive' | 'depart' | 'undo'; skip_stops?: boolean }

/** Dispatches the manifest, or reports something of a stop; answers what was moved, in words. */
export function useReport(manifestID: string) {
  return useChange(
    async (report: Report | 'dispatch') => {
      if (report === 'dispatch')
        return movedIn(
          await answered(lading.POST('/api/v1/manifests/{manifestID}/dispatch', { ...of(manifestID), body: {} })),
        )
      const { stop: stopID, what, skip_stops = false } = report
      const asked = { params: { path: { manifestID, stopID } }, body: { skip_stops } }
      if (what === 'arrive')
        return movedIn(await answered(lading.POST('/api/v1/manifests/{manifestID}/stops/{stopID}/arrive', asked)))
      if (what === 'depart')
        return movedIn(await answered(lading.POST('/api/v1/manifests/{manifestID}/stops/{stopID}/depart', asked)))
      return movedIn(
        await answered(lading.POST('/api/v1/manifests/{manifestID}/stops/{stopID}/undo', { ...asked, body: {} })),
      )
    },
    { touches: ['objects'], evenIfRefused: true },
  )
}

type Moved = { moved: readonly { full_id: string; to: string }[] }

function movedIn({ moved }: Moved): string {
  return moved.map(({ full_id, to }) => `${full_id} is ${wordsOf(to).toLowerCase()}.`).join(' ')
}

export type CheckCall = { note: string | null; place: string | null; latitude: number | null; longitude: number | null }

export function useCheckCall(manifestID: string) {
  return useChange(
    (call: CheckCall) =>
      answered(
        lading.POST('/api/v1/manifests/{manifestID}/positions', {
          ...of(manifestID),
          body: { ...call, source: 'check_call' },
        }),
      ),
    { touches: ['objects'] },
  )
}
