import { zoneOfPlace } from '../../../platform/core/places/place-zones.ts'
import type { Stop } from './model.ts'

/** The time zone of a stop: its own, or that of its place, or that of the organization. */
export function zoneOf({ timeZone, address }: Pick<Stop, 'timeZone' | 'address'>, organization: string): string {
  return timeZone ?? zoneOfPlace(address) ?? organization
}

/** Whether the organization's time zone has a say in those of these stops. */
export function hasUnknownPlace(stops: readonly Stop[]): boolean {
  return stops.some(({ address }) => zoneOfPlace(address) === null)
}

/** Stops that have a time zone each. One that came from the place follows the place; one that somebody chose stays. */
export function withZones(stops: readonly Stop[], before: readonly Stop[], organization: string): Stop[] {
  return stops.map((stop) => {
    const was = before.find(({ id }) => id === stop.id)
    const isFollowing =
      was !== undefined &&
      was.timeZone === stop.timeZone &&
      was.timeZone === zoneOf({ address: was.address ?? null }, organization)
    const timeZone = zoneOf(isFollowing ? { address: stop.address ?? null } : stop, organization)
    return timeZone === stop.timeZone ? stop : { ...stop, timeZone }
  })
}
