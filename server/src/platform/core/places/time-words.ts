import { formatterOf, zoneNameAt } from './time-zones.ts'

/** How times are written for people, by the clock of a place and with the name of its time zone. */

/** `16 Nov 2026, 08:00 PST` */
export function timeText(moment: string | null | undefined, timeZone: string): string {
  if (!moment) return ''
  const time = new Date(moment)
  return `${dayOf(time, timeZone)}, ${clockOf(time, timeZone)} ${zoneNameAt(time, timeZone)}`
}

/** From one time to another, as far as they are there: `16 Nov 2026, 08:00 – 12:00 PST`. */
export function spanText(from: unknown, to: unknown, timeZone: string): string {
  if (!from || !to || from === to) return timeText((from ?? to) as string | null, timeZone)
  const [first, last] = [new Date(from as string), new Date(to as string)]
  if (dayOf(first, timeZone) !== dayOf(last, timeZone))
    return `${timeText(from as string, timeZone)} – ${timeText(to as string, timeZone)}`
  return `${dayOf(first, timeZone)}, ${clockOf(first, timeZone)} – ${clockOf(last, timeZone)} ${zoneNameAt(last, timeZone)}`
}

function dayOf(time: Date, timeZone: string): string {
  return formatterOf('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone }).format(time)
}

function clockOf(time: Date, timeZone: string): string {
  return formatterOf('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(time)
}
