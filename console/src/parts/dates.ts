const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** In the language and the zone of the person who looks. */
export function dayOf(moment: string): string {
  return day.format(new Date(moment))
}

export function timeOf(moment: string): string {
  return time.format(new Date(moment))
}
