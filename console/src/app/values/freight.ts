import { dockSpanOf, timeOf } from './dates.ts'

type Window = { from: string | null; until: string | null; time_zone: string } | null

/** What an offer says of its freight. */
export type Freight = {
  pickup_window: Window
  delivery_window: Window
  distance: number | null
  distance_source: 'entered' | 'estimated' | null
  equipment_types: readonly string[]
  weight: number | null
  weight_unit: string | null
  weight_complete: boolean
}

const kmPerMile = 1.609344

/** `809 miles (1,302 km)`; `about` where it is estimated. */
export function distanceWords({ distance, distance_source }: Pick<Freight, 'distance' | 'distance_source'>): string {
  if (distance === null) return ''
  const whole = (value: number) => Math.round(value).toLocaleString()
  return `${distance_source === 'estimated' ? 'about ' : ''}${whole(distance / kmPerMile)} miles (${whole(distance)} km)`
}

export function weightWords({
  weight,
  weight_unit,
  weight_complete,
}: Pick<Freight, 'weight' | 'weight_unit' | 'weight_complete'>): string {
  return weight === null
    ? ''
    : `${weight_complete ? '' : 'at least '}${weight.toLocaleString()} ${weight_unit ?? ''}`.trim()
}

export function equipmentWords({ equipment_types }: Pick<Freight, 'equipment_types'>): string {
  const text = equipment_types.map((type) => type.replaceAll('_', ' ')).join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** By the clock at the dock. */
export function windowWords(window: Window): string {
  return window ? dockSpanOf(window.from, window.until, window.time_zone) : ''
}

/** The same by the clock of whoever looks, for a tooltip. */
export function ownWindowWords(window: Window): string {
  const own = [window?.from && `from ${timeOf(window.from)}`, window?.until && `until ${timeOf(window.until)}`]
    .filter(Boolean)
    .join(' ')
  return own && `Your time: ${own}`
}
