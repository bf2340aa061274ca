import type { Schemas } from '@lading/sdk'
import { type Stop, stopIn } from '../../movement/stop.ts'

export type Trip = Schemas['DispatchManifest']
export type OrderToPlan = Schemas['OrderToPlan']

type Address = {
  city?: string | null
  state?: string | null
  company_name?: string | null
  latitude?: number | null
  longitude?: number | null
}

/** A stop with where it is. */
export type PlacedStop = Stop & { town: string; latitude: number | null; longitude: number | null }

export function stopsOf({ stops }: Pick<Trip, 'stops'>): PlacedStop[] {
  return stops.map((stop) => {
    const address = ((stop as { address?: Address | null }).address ?? {}) as Address
    return {
      ...stopIn(stop),
      town: townOf(address),
      latitude: address.latitude ?? null,
      longitude: address.longitude ?? null,
    }
  })
}

/** `Oakland, CA` */
export function townOf({ city, state, company_name }: Address): string {
  return [city, state].filter(Boolean).join(', ') || company_name || '–'
}

/** `Oakland, CA → Seattle, WA` */
export function wayOf(trip: Pick<Trip, 'stops'>): string {
  const towns = stopsOf(trip).map(({ town }) => town)
  return towns.length === 0 ? 'No stops yet' : [...new Set([towns[0], towns.at(-1)])].join(' → ')
}

export function isLate({ delay_minutes }: Pick<Trip, 'delay_minutes'>): boolean {
  return (delay_minutes ?? 0) > 0
}

/** Who drives what, as far as that is known. */
export function crewOf({ partner_carrier, driver_name, equipment }: Trip): string {
  return [partner_carrier?.name, driver_name, equipment?.name].filter(Boolean).join(' · ')
}

/** `MAN-12 · TRIP-5521` */
export function nameOf({ full_id, reference_number }: Pick<Trip, 'full_id' | 'reference_number'>): string {
  return reference_number && reference_number !== full_id ? `${full_id} · ${reference_number}` : full_id
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}
