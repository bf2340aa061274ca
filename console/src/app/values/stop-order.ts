/** What was reported of a stop. */
type Reported = { id: string; arrived: string | null; departed: string | null }

/** The stops before one that were not departed from, back to the last one that was: nobody passes these over without saying so. */
export function openBefore<S extends Reported>(stops: readonly S[], id: string): S[] {
  const before = stops.slice(
    0,
    stops.findIndex((stop) => stop.id === id),
  )
  return before.slice(before.findLastIndex(({ departed }) => departed) + 1)
}

/** Whether a stop behind one was departed from: its report is undone first. */
export function hasDepartedBehind<S extends Reported>(stops: readonly S[], id: string): boolean {
  return stops.slice(stops.findIndex((stop) => stop.id === id) + 1).some(({ departed }) => departed)
}

/** The stop to report next: the one at which the vehicle is, or else the first after the last one that it departed from. */
export function nextIn<S extends Reported>(stops: readonly S[]): S | undefined {
  const rest = stops.slice(stops.findLastIndex(({ departed }) => departed) + 1)
  return rest.findLast(({ arrived }) => arrived) ?? rest[0]
}
