import type { Fields } from '../../records/model/object.ts'
import { greatCircleKm, type Place } from '../arrival-times/estimate.ts'
import { frameOf } from '../stops/itinerary/frame.ts'
import { inSequence, type Stop, stopsIn, stopsOfOrder, withStops } from '../stops/itinerary/model.ts'
import { zoneOf } from '../stops/itinerary/zones.ts'

/** A manifest with what tells its freight, as it is stored: `unit` is its equipment. */
export type Load = {
  manifest: Fields
  orders: readonly { id: string; full_id: string; json: Fields }[]
  unit: { name: string | null; equipment_type: string | null; capacity: unknown } | null
  settings: { eta_detour_factor: number; eta_average_speed_kmh: number; time_zone: string }
}

export type Window = { from: string | null; until: string | null; time_zone: string }

/** What a carrier asks of a load before anything else. */
export type Freight = {
  start: Fields | null
  start_at: string | null
  end: Fields | null
  end_at: string | null
  pickup_window: Window | null
  delivery_window: Window | null
  distance: number | null
  distance_source: 'entered' | 'estimated' | null
  equipment_types: string[]
  weight: number | null
  weight_unit: string | null
  weight_complete: boolean
}

/** Taken from the stops where the manifest itself says nothing, and from its orders where it has no stops yet. */
export function freightOf(load: Load): Freight {
  const { manifest, orders, unit, settings } = load
  const stops = stopsOfLoad(load)
  const frame = frameOf(stops)
  const needed = [...new Set(orders.flatMap(({ json }) => textIn(json.equipmentType) ?? []))]
  const [startAt, endAt] = [textIn(manifest.startAt), textIn(manifest.endAt)]
  return {
    start: addressIn(manifest.start) ?? frame.start,
    start_at: startAt ?? frame.startAt,
    end: addressIn(manifest.end) ?? frame.end,
    end_at: endAt ?? frame.endAt,
    pickup_window:
      windowOf(stops.find(({ kind }) => kind === 'pickup') ?? stops[0], settings.time_zone) ??
      bare(startAt, null, manifest.start, settings.time_zone),
    delivery_window:
      windowOf(stops.findLast(({ kind }) => kind === 'delivery') ?? stops.at(-1), settings.time_zone) ??
      bare(null, endAt, manifest.end, settings.time_zone),
    ...distanceOf(manifest.distance, stops, settings.eta_detour_factor),
    equipment_types: needed.length > 0 ? needed : unit?.equipment_type ? [unit.equipment_type] : [],
    ...weightOf(orders.map(({ json }) => json)),
  }
}

/** The stops of a manifest, or those that it would get from its orders. */
export function stopsOfLoad({ manifest, orders }: Pick<Load, 'manifest' | 'orders'>): readonly Stop[] {
  const own = stopsIn(manifest)
  return own.length > 0
    ? own
    : orders.reduce<Stop[]>((all, { id, json }) => withStops(all, inSequence(stopsOfOrder(id, json))), [])
}

export const poundKg = 0.45359237

/** In kilograms; null where the weight or its unit is not known. */
export function kilogramsOf({ weight, weightUnit }: Fields): number | null {
  if (typeof weight !== 'number') return null
  return weightUnit === 'kg' ? weight : weightUnit === 'lb' ? weight * poundKg : null
}

/** Where a stop is, if that is known. */
export function coordinatesOf(address: unknown): Place | null {
  const { latitude, longitude } = (address ?? {}) as Partial<Place>
  return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : null
}

function windowOf(stop: Stop | undefined, zone: string): Window | null {
  if (!stop || (!stop.windowStart && !stop.windowEnd)) return null
  return { from: stop.windowStart ?? null, until: stop.windowEnd ?? null, time_zone: zoneOf(stop, zone) }
}

function bare(from: string | null, until: string | null, address: unknown, zone: string): Window | null {
  return from || until ? { from, until, time_zone: zoneOf({ address: addressIn(address) }, zone) } : null
}

function distanceOf(
  entered: unknown,
  stops: readonly Stop[],
  detour: number,
): Pick<Freight, 'distance' | 'distance_source'> {
  if (typeof entered === 'number') return { distance: entered, distance_source: 'entered' }
  const places = stops.map(({ address }) => coordinatesOf(address))
  if (places.length < 2 || places.includes(null)) return { distance: null, distance_source: null }
  const straight = places
    .slice(1)
    .reduce((sum, place, index) => sum + greatCircleKm(places[index] as Place, place as Place), 0)
  return { distance: Math.round(straight * detour), distance_source: 'estimated' }
}

/** In the unit that all have in common, or else in kilograms. */
function weightOf(orders: readonly Fields[]): Pick<Freight, 'weight' | 'weight_unit' | 'weight_complete'> {
  const known = orders.filter(({ weight }) => typeof weight === 'number')
  const units = [...new Set(known.map(({ weightUnit }) => textIn(weightUnit)))]
  if (units.length === 1) {
    const weight = known.reduce((sum, order) => sum + (order.weight as number), 0)
    return { weight: rounded(weight), weight_unit: units[0] ?? null, weight_complete: known.length === orders.length }
  }
  const kilograms = known.flatMap((order) => kilogramsOf(order) ?? [])
  const weight = kilograms.length > 0 ? rounded(kilograms.reduce((sum, one) => sum + one, 0)) : null
  return { weight, weight_unit: weight === null ? null : 'kg', weight_complete: kilograms.length === orders.length }
}

function rounded(weight: number): number {
  return Math.round(weight * 10) / 10
}

function addressIn(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
