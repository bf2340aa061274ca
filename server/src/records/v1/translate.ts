import { isDeepStrictEqual } from 'node:util'
import type { Definition } from '../kinds/kind.ts'
import { ownValue } from '../model/check.ts'
import type { Content, Fields } from '../model/object.ts'
import type { Names } from './names.ts'

/** The object before a change: the client's part, and its `fullId`, which is its name if it has none. */
export type ObjectBefore = { content: Content; full_id: string }

export type TranslatedBody = {
  fields: Fields
  /** Those fields are known, but a client may not set them. */
  ignored: string[]
  /** Nothing that this kind has in this organization. */
  unknown: string[]
  /** What can be set. */
  known: string[]
}

/** An object as v1 shows it: every defined field, null if it has no value, then everything else it has, under its own name. */
export function show({ columns, byName, keys }: Names, object: Fields): Fields {
  const shown: Record<string, unknown> = {}
  for (const { key, name, show } of columns) shown[name] = show(ownValue(object, key))
  for (const key of Object.keys(object)) if (!keys.has(key) && !byName.has(key)) shown[key] = object[key]
  return shown
}

/**
 * The fields that a v1 body sets. A field that is sent as it is shown is no change, however it is stored: so what was read can be sent back whole.
 * Fields that the organization added have their own names.
 */
export function take(
  { byName, keys }: Names,
  sent: Fields,
  definition: Definition,
  before: ObjectBefore | null,
): TranslatedBody {
  const was = before && {
    ...before.content.json,
    name: before.content.name ?? before.full_id,
    status: before.content.status,
    externalId: before.content.externalId,
  }
  const fields: [string, unknown][] = []
  const ignored: string[] = []
  const unknown: string[] = []
  for (const [name, value] of Object.entries(sent)) {
    const column = byName.get(name)
    if (column?.readOnly) ignored.push(name)
    else if (column) {
      const { key, show, absent } = column
      const shown = was && (show(ownValue(was, key)) ?? absent)
      if (!was || !isDeepStrictEqual(shown, value)) fields.push([key, column.take(value)])
    } else if (definition.added.includes(name) && !keys.has(name)) fields.push([name, value])
    else unknown.push(name)
  }
  return {
    fields: Object.fromEntries(fields),
    ignored,
    known: [...[...byName.values()].filter(({ readOnly }) => !readOnly).map(({ name }) => name), ...definition.added],
    unknown: unknown.filter((name) => keys.has(name) || !before || !Object.hasOwn(before.content.json, name)),
  }
}
