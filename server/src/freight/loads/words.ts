import { spanText } from '../../platform/core/places/time-words.ts'
import type { Freight, Window } from './model.ts'

/** What an offer says of its freight, a line each; what is not known is left out. */
export function freightLines(freight: Freight): string[] {
  const { start, end, pickup_window, delivery_window, equipment_types } = freight
  return [
    ['Pick up', [townOf(start), windowText(pickup_window)].filter(Boolean).join(', ')],
    ['Deliver', [townOf(end), windowText(delivery_window)].filter(Boolean).join(', ')],
    ['Distance', distanceText(freight)],
    ['Equipment', equipment_types.map((type) => type.replaceAll('_', ' ')).join(', ')],
    ['Weight', weightText(freight)],
  ].flatMap(([label, text]) => (text ? [`${label}: ${text}`] : []))
}

/** No more than the town: a carrier gets the address with the load. */
export function townOf(address: Freight['start']): string {
  return [address?.city, address?.state].filter((part) => typeof part === 'string' && part !== '').join(', ')
}

export function windowText(window: Window | null): string {
  return window ? spanText(window.from, window.until, window.time_zone) : ''
}

const kmPerMile = 1.609344

/** `809 miles (1,302 km)` */
export function distanceText({ distance, distance_source }: Pick<Freight, 'distance' | 'distance_source'>): string {
  if (distance === null) return ''
  const whole = (value: number) => Math.round(value).toLocaleString('en-US')
  return `${distance_source === 'estimated' ? 'about ' : ''}${whole(distance / kmPerMile)} miles (${whole(distance)} km)`
}

function weightText({ weight, weight_unit, weight_complete }: Freight): string {
  if (weight === null) return ''
  return `${weight_complete ? '' : 'at least '}${weight.toLocaleString('en-US')} ${weight_unit ?? ''}`.trim()
}
