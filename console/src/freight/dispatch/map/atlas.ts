import { queryOptions } from '@tanstack/react-query'
import type { Feature, FeatureCollection } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import statesUrl from 'us-atlas/states-10m.json?url'
import countriesUrl from 'world-atlas/countries-50m.json?url'

/** By ISO 3166-1: its states are drawn instead, from finer data. */
const unitedStates = '840'

export type Area = { key: string; feature: Feature }

/**
 * The outlines of the states of the United States and of all other countries. They are files of the console, so that nothing is asked of anybody else,
 * and are read when a map is opened.
 */
export const areasQuery = queryOptions({
  queryKey: ['atlas'],
  queryFn: async (): Promise<Area[]> => {
    const [countries, states] = await Promise.all([read(countriesUrl, 'countries'), read(statesUrl, 'states')])
    return [...countries.filter(({ key }) => key !== `countries ${unitedStates}`), ...states]
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

async function read(url: string, name: string): Promise<Area[]> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`the map data answered ${response.status}`)
  const topology = (await response.json()) as Topology<Record<string, GeometryCollection>>
  const { features } = feature(topology, topology.objects[name] as GeometryCollection) as FeatureCollection
  return features.map((one, index) => ({ key: `${name} ${one.id ?? `without id ${index}`}`, feature: one }))
}
