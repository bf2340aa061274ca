export const dispatchPath = '/dispatch'

/** What the page shows, as in its address. */
export type DispatchSearch = {
  view?: 'timeline' | 'map'
  /** The saved board that is open. */
  board?: string
  q?: string
  /** States with commas between them; those of the columns where nothing is said. */
  status?: string
  carrier?: string
  equipment?: string
  driver?: string
  from?: string
  to?: string
  /** The first day of the timeline. */
  day?: string
  /** The manifest that is being planned. */
  open?: string
}

/** Changes some of it; an empty value is taken out of the address. */
export type Change = (part: Partial<Record<keyof DispatchSearch, string | undefined>>) => void

const texts = ['board', 'q', 'status', 'carrier', 'equipment', 'driver', 'open'] as const
const days = ['from', 'to', 'day'] as const

/** Reads the known parameters of an address and ignores the rest. */
export function dispatchIn(given: Record<string, unknown>): DispatchSearch {
  const text = (name: string) =>
    typeof given[name] === 'string' || typeof given[name] === 'number' ? String(given[name]) : ''
  return {
    ...(given.view === 'timeline' || given.view === 'map' ? { view: given.view } : {}),
    ...Object.fromEntries(texts.filter((name) => text(name) !== '').map((name) => [name, text(name)])),
    ...Object.fromEntries(
      days.filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(text(name))).map((name) => [name, text(name)]),
    ),
  }
}

/** The columns of the board, from the first state of a trip to the last. */
export const columns = ['active', 'planned', 'dispatched', 'in_transit', 'completed'] as const
/** Further states that can be asked for. */
export const states = [...columns, 'cancelled'] as const

export function statesIn({ status }: DispatchSearch): readonly string[] {
  const asked = status?.split(',').filter(Boolean) ?? []
  return asked.length > 0 ? asked : columns
}

/** Without empty values, which would stand in the address as "undefined". */
export function withoutEmpty(search: Partial<Record<keyof DispatchSearch, string | undefined>>): DispatchSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  ) as DispatchSearch
}
