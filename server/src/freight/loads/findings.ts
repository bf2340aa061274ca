import { timeText } from '../../platform/core/places/time-words.ts'
import { parseDate } from '../../platform/core/values/dates.ts'
import { isOver } from '../arrival-times/over.ts'
import { isReported, type Stop, stopsIn } from '../stops/itinerary/model.ts'
import { zoneOf } from '../stops/itinerary/zones.ts'
import { equipmentFindings, weightFindings } from './capacity.ts'
import type { Finding } from './finding.ts'
import { legOf } from './legs.ts'
import type { Load } from './model.ts'
import { distanceText, townOf } from './words.ts'

/** What cannot work of a manifest that is not over, as far as its stops, orders and equipment tell. */
export function findingsOf(load: Load, status: string): Finding[] {
  if (isOver(status)) return []
  return [...timeFindings(load), ...equipmentFindings(load), ...weightFindings(load)]
}

const hour = 3_600_000
/** After so many hours at the wheel a driver rests so long, by the rules for freight in the United States. */
const [drivingHours, restHours] = [11, 10]

/** Where the vehicle is in the plan: since when it could leave the last stop, and how many hours it was driven since the last rest. */
type Way = { stop: Stop; clock: number | null; driven: number }

/** The earliest that the vehicle can be at each stop that is left, against when it is expected there. How long loading takes is not known, and counts as nothing. */
function timeFindings({ manifest, settings }: Load): Finding[] {
  const stops = stopsIn(manifest)
  const reported = stops.findLastIndex(isReported)
  const findings: Finding[] = []
  let way = null as Way | null
  for (const stop of stops.slice(Math.max(reported, 0))) {
    const { open, close } = windowOf(stop)
    const found: Arrival | null = way && arrivalAt(stop, way, { manifest, settings, isOnlyLeg: stops.length === 2 })
    if (found?.finding) findings.push(found.finding)
    const was = momentOf(stop.departedAt ?? stop.arrivedAt)
    // What follows is measured from where the stop should be, so that one mistake is said once.
    const clock: number | null = was ?? (found?.finding ? (open ?? close) : latest(found?.arrival ?? null, open))
    const hasRested: boolean = clock !== null && found?.arrival != null && clock - found.arrival >= restHours * hour
    way = { stop, clock, driven: hasRested ? 0 : (found?.driven ?? 0) }
  }
  return findings
}

type Arrival = { arrival: number | null; driven: number; finding: Finding | null }

function arrivalAt(
  stop: Stop,
  way: Way,
  { manifest, settings, isOnlyLeg }: Pick<Load, 'manifest' | 'settings'> & { isOnlyLeg: boolean },
): Arrival {
  const { close } = windowOf(stop)
  const before = windowOf(way.stop)
  const leg = legOf(way.stop, stop, {
    detour: settings.eta_detour_factor,
    entered: isOnlyLeg ? manifest.distance : null,
  })
  const hours = (leg?.km ?? 0) / settings.eta_average_speed_kmh
  const { rests, driven } = driving(way.driven, hours)
  const arrival = way.clock === null ? null : way.clock + (hours + rests * restHours) * hour
  const leaves = momentOf(way.stop.departedAt ?? way.stop.arrivedAt) ?? before.open
  const told = (code: Finding['code'], message: string): Arrival => ({
    ...{ arrival, driven },
    finding: { code, message: `${nameOf(stop)}: ${message}`, stop_id: stop.id },
  })
  if (close === null) return { arrival, driven, finding: null }
  const until = () =>
    `its window closes at ${timeText(stop.windowEnd ?? stop.windowStart, zoneOf(stop, settings.time_zone))}`
  const opens = way.stop.windowStart ?? way.stop.windowEnd
  if (before.open !== null && close < before.open && !isReported(way.stop))
    return told(
      'times_out_of_order',
      `${until()}, before that of stop ${way.stop.sequence} opens at ${timeText(opens, zoneOf(way.stop, settings.time_zone))}.`,
    )
  const far =
    leg &&
    `${leg.isExact ? '' : 'at least '}${distanceText({ distance: leg.km, distance_source: null })} from stop ${way.stop.sequence}`
  const speed = `${Math.round(settings.eta_average_speed_kmh / 1.609344)} mph (${settings.eta_average_speed_kmh} km/h)`
  if (far && leaves !== null && leaves + hours * hour > close)
    return told(
      'not_enough_time',
      `${far} take ${durationOf(hours)} at ${speed}, and ${until()}, ${durationOf((close - leaves) / hour)} after that stop opens.`,
    )
  const alone = driving(0, hours)
  if (far && leaves !== null && leaves + (hours + alone.rests * restHours) * hour > close)
    return told(
      'hours_of_service',
      `${far} take ${durationOf(hours)} at the wheel, in which one driver rests ${restHours} h after every ${drivingHours} h: it arrives at ${timeText(new Date(leaves + (hours + alone.rests * restHours) * hour).toISOString(), zoneOf(stop, settings.time_zone))} at the earliest, and ${until()}.`,
    )
  if (arrival !== null && arrival > close)
    return told(
      'late_stop',
      `it is reached at ${timeText(new Date(arrival).toISOString(), zoneOf(stop, settings.time_zone))} at the earliest, and ${until()}.`,
    )
  return { arrival, driven, finding: null }
}

/** How many rests a driver takes within these hours who was driving for some already, and how many hours it is since the last one. */
function driving(driven: number, hours: number): { rests: number; driven: number } {
  const total = driven + hours
  const rests = Math.max(0, Math.ceil(total / drivingHours - 1e-9) - 1)
  return { rests, driven: total - rests * drivingHours }
}

function windowOf({ windowStart, windowEnd }: Stop): { open: number | null; close: number | null } {
  return { open: momentOf(windowStart ?? windowEnd), close: momentOf(windowEnd ?? windowStart) }
}

function latest(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.max(one, other)
}

function nameOf({ sequence, address }: Stop): string {
  const town = townOf(address ?? null)
  return `Stop ${sequence}${town ? `, ${town}` : ''}`
}

/** `43 h 34 min` */
function durationOf(hours: number): string {
  const minutes = Math.max(0, Math.round(hours * 60))
  const parts = [
    minutes >= 60 ? `${Math.floor(minutes / 60)} h` : '',
    minutes % 60 > 0 || minutes === 0 ? `${minutes % 60} min` : '',
  ]
  return parts.filter(Boolean).join(' ')
}

function momentOf(text: string | null | undefined): number | null {
  return text ? (parseDate(text)?.getTime() ?? null) : null
}
