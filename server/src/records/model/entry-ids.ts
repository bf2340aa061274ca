import type { Item } from '../kinds/kind.ts'
import { isRecord } from './check.ts'

type Entry = Record<string, unknown>

/**
 * Gives entries that were sent without their id the ids they had: an entry with the same content keeps its id, and a changed one gets that of its
 * position, if no other entry has it.
 */
export function withKnownIds(items: Item, value: readonly unknown[], before: unknown): readonly unknown[] {
  const key = 'fields' in items ? items.fields.find(({ format }) => format === 'id')?.key : undefined
  if (key === undefined || !Array.isArray(before)) return value
  const old: Entry[] = before.filter(isRecord)
  const sent = new Set(
    value.map((entry) => (isRecord(entry) && typeof entry[key] === 'string' ? entry[key].toLowerCase() : '')),
  )
  const free = new Map(
    old.filter((entry) => !sent.has(entry[key] as string)).map((entry) => [entry[key] as string, entry]),
  )
  const given = value.map((entry) =>
    lacks(entry) ? take([...free].find(([, other]) => alike(other, entry as Entry))?.[0]) : undefined,
  )
  return value.map((entry, index) => {
    const id = lacks(entry) ? (given[index] ?? take(old[index]?.[key])) : undefined
    return id === undefined ? entry : { ...(entry as Entry), [key]: id }
  })

  function lacks(entry: unknown): boolean {
    return isRecord(entry) && (entry[key as string] ?? null) === null
  }

  function take(id: unknown): string | undefined {
    return free.delete(id as string) ? (id as string) : undefined
  }

  function alike(one: Entry, other: Entry): boolean {
    const content = (entry: Entry) =>
      JSON.stringify(
        Object.entries(entry)
          .filter(([name, inner]) => name !== key && inner !== null)
          .sort(),
      )
    return content(one) === content(other)
  }
}
