import { useQuery } from '@tanstack/react-query'
import { organizationQuery } from '../../app/api/organization.ts'
import { browserZone } from '../../app/values/dates.ts'
import { type Fields, isRecord, type Kind } from '../kinds/kind.ts'
import { zoneIn } from '../kinds/zone.ts'

/** The times of freight outside of its stops, with the stop at which each is. */
const stopOf: Readonly<Record<string, 0 | -1>> = {
  ...{ startAt: 0, pickupAt: 0, pickupBy: 0 },
  ...{ endAt: -1, deliverAt: -1, deliverBy: -1 },
}
const kinds = ['manifest', 'order', 'quote']

/** In which time zone a field of a record is shown and typed; undefined where that is the viewer's. */
export type ZoneOf = (key: string) => string | undefined

export type FreightZones = ((record: Fields) => ZoneOf) | undefined

/** By the clock of the first and of the last stop, as the stops themselves; of the organization where there is none. Undefined while that is not known yet. */
export function useFreightZones(kind: Kind): FreightZones {
  const isFreight = kinds.includes(kind.objectKey)
  const { data, error } = useQuery({ ...organizationQuery, enabled: isFreight })
  if (!isFreight) return noZones
  const home = data?.time_zone ?? (error ? browserZone() : undefined)
  return home === undefined ? undefined : (record) => zonesOf(kind, record, home)
}

export function zonesOf({ fields, addedFields }: Kind, { stops }: Fields, home: string): ZoneOf {
  const list = fields.find(({ key }) => key === 'stops' && !addedFields.includes(key))
  const inner = list?.items && 'fields' in list.items ? list.items.fields : []
  const known = inner.length > 0 && Array.isArray(stops) ? stops.filter(isRecord) : []
  return (key) => {
    const place = Object.hasOwn(stopOf, key) && !addedFields.includes(key) ? stopOf[key] : undefined
    return place === undefined ? undefined : zoneIn(inner, known.at(place) ?? {}, home)
  }
}

function noZones(): ZoneOf {
  return () => undefined
}
