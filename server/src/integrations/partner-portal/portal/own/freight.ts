import { freightOf, type Load } from '../../../../freight/loads/model.ts'
import { zoneOf } from '../../../../freight/stops/itinerary/zones.ts'
import type { Fields } from '../../../../records/model/object.ts'
import { manifestResource } from '../../../../records/v1/resources.ts'

const about = ['city', 'state', 'postal', 'country']
const exact = ['company_name', 'contact_name', 'address_1', 'address_2']

type ShownStop = { time_zone: string | null; address: Fields | null }

/** A manifest with its freight instead of what that is worked out from. Before a carrier has the freight it sees only where about it goes. */
export function withFreight(
  { load, stops, ...manifest }: { load: Load; stops?: readonly ShownStop[] },
  isWhole = false,
): object {
  const { start, end, ...freight } = freightOf(load)
  const timed = stops?.map((stop) => ({
    ...stop,
    time_zone: zoneOf({ timeZone: stop.time_zone, address: stop.address }, load.settings.time_zone),
  }))
  return {
    ...manifest,
    ...(timed && { stops: timed }),
    start: addressOf(start, isWhole),
    end: addressOf(end, isWhole),
    ...freight,
  }
}

function addressOf(address: unknown, isWhole: boolean): object | null {
  const shown = manifestResource.byName.get('start')?.show(address) as Record<string, unknown> | null
  return (
    shown &&
    Object.fromEntries(
      [...exact, ...about].map((name) => [name, (isWhole || about.includes(name) ? shown[name] : null) ?? null]),
    )
  )
}
