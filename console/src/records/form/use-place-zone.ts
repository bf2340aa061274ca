import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { answered } from '../../app/api/problem.ts'
import { lading } from '../../app/api/session.ts'
import type { DraftFields } from './draft.ts'

type Region = { country?: string; state?: string; postal?: string }

const placeZoneQuery = (region: Region) =>
  queryOptions({
    queryKey: ['time zone', region],
    queryFn: async () =>
      (await answered(lading.GET('/api/v1/time_zones/of_place', { params: { query: region } }))).time_zone,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Fills in the time zone of a stop from its address while it is typed. One that somebody chose stays, and so do times of stops from before they had one. */
export function usePlaceZone(isWanted: boolean, value: DraftFields, onChange: (next: DraftFields) => void): void {
  const region = regionOf(value.address)
  const { data } = useQuery({ ...placeZoneQuery(region), enabled: isWanted && Boolean(region.country ?? region.state) })
  const derived = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed meanwhile is in `value`, and is no reason to fill in anything
  useEffect(() => {
    if (!data) return
    const isFollowing = value.timeZone ? value.timeZone === derived.current : derived.current !== null || !value.id
    derived.current = data
    if (isFollowing && value.timeZone !== data) onChange({ ...value, timeZone: data })
  }, [data])
}

function regionOf(address: unknown): Region {
  const typed = (address ?? {}) as Record<string, unknown>
  const part = (key: keyof Region) =>
    typeof typed[key] === 'string' && typed[key].trim() !== '' ? { [key]: typed[key].trim() } : {}
  return { ...part('country'), ...part('state'), ...part('postal') }
}
