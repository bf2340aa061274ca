import { invalid, quote } from '../core/refusal.ts'

/** Which types of events are wanted: by their names, and all of some nouns. */
export type EventChoice = { names: readonly string[]; nouns: readonly string[] }

const pattern = /^(?:\*|[a-z][a-z0-9_]*\.(?:\*|[a-z_]+))$/

/** Reads `bill.paid`, `bill.*` and `*`; undefined is every type. Types that nobody has recorded yet may be asked for: kinds of objects are made at any time. */
export function chosenTypes(patterns: readonly string[] | undefined, field = 'types'): EventChoice | undefined {
  if (patterns === undefined) return undefined
  const wrong = patterns.find((text) => !pattern.test(text))
  if (wrong !== undefined) throw noType(wrong, field)
  if (patterns.includes('*')) return undefined
  return {
    names: patterns.filter((text) => !text.endsWith('.*')),
    nouns: patterns.filter((text) => text.endsWith('.*')).map((text) => text.slice(0, -2)),
  }
}

function noType(wrong: string, field: string) {
  const lower = wrong.trim().toLowerCase()
  const isMeant = pattern.test(lower)
  const hint = isMeant
    ? `Did you mean ${quote(lower)}?`
    : 'Write "bill.paid", "bill.*" for all of bills, or "*" for all.'
  return invalid(field, 'bad_event_type', `${quote(wrong)} is no type of event. ${hint}`, isMeant ? [lower] : undefined)
}

/** Whether a type is one of those that are wanted. */
export function isChosen(chosen: EventChoice | undefined, type: string): boolean {
  return chosen === undefined || chosen.names.includes(type) || chosen.nouns.includes(type.slice(0, type.indexOf('.')))
}
