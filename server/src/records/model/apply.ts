import { normalTimeZone } from '../../platform/core/places/time-zones.ts'
import { type Detail, invalidAll, quote } from '../../platform/core/refusal.ts'
import { isId, newId } from '../../platform/core/values/ids.ts'
import type { Definition, Field } from '../kinds/kind.ts'
import { sharedFields } from '../kinds/shared-fields.ts'
import { checkField, isRecord, ownValue } from './check.ts'
import { withKnownIds } from './entry-ids.ts'
import { type Content, type Fields, type Naming, serverOwned } from './object.ts'
import { eachOtherField, keysOf } from './other-fields.ts'

const mostOtherValues = 10_000

/**
 * What becomes of an object (or of none yet) when a client sends these fields: those sent replace what was there, null clears, the rest stays.
 * Everything that is wrong is reported at once.
 */
export function apply(
  definition: Definition,
  before: Content | null,
  sent: Fields,
  { naming, currencies }: { naming: Naming; currencies: ReadonlySet<string> },
): { after: Content; ignored: Detail[] } {
  const hidden = new Set(definition.hidden.map(({ key }) => key))
  const readOnly = readOnlyKeysOf(definition)
  const ignored = Object.keys(sent).flatMap((key) => ignoredBecause(key, readOnly, hidden, naming))
  const taken = Object.entries(sent).filter(
    ([key]) => !readOnly.has(key) && !hidden.has(key) && key !== 'status' && key !== 'externalId',
  )
  const json = {
    ...before?.json,
    ...Object.fromEntries(
      taken.map(([key, value]) => [key, normal(fieldOf(definition, key), value, before?.json[key])]),
    ),
  }
  const status = sent.status ?? before?.status ?? definition.statuses[0]
  const externalId = sent.externalId === undefined ? (before?.externalId ?? null) : sent.externalId
  const wrong = [
    ...faults(definition, json, currencies).filter(({ field }) => !isKept(field, before, json)),
    ...statusFaults(definition, status),
    ...externalIdFaults(externalId),
    ...otherFieldFaults(definition, before?.json ?? {}, json),
  ]
  if (wrong.length > 0) throw invalidAll(wrong.map((detail) => renameField(detail, naming)))
  return {
    after: { json, name: nameOf(definition, json), status: status as string, externalId: externalId as string | null },
    ignored,
  }
}

/** A value from before its field was built in stays as it is until it is sent, whatever it is. */
function isKept(path: string, before: Content | null, json: Fields): boolean {
  const [key] = path.split('.') as [string]
  const value = before && ownValue(before.json, key)
  return value !== undefined && value !== null && value === ownValue(json, key)
}

/** Everything in these fields that does not fit the definition. */
export function faults(definition: Definition, json: Fields, currencies: ReadonlySet<string>): Detail[] {
  const extra = sharedFields.filter(({ key }) => !definition.fields.some((field) => field.key === key))
  return [...definition.fields, ...extra].flatMap((field) =>
    checkField(field, ownValue(json, field.key), field.key, currencies),
  )
}

/** Its `name`, or the field that names objects of its kind, or else none. */
export function nameOf(definition: Definition, json: Fields): string | null {
  const own = [json.name, definition.title && json[definition.title]].find(
    (value) => typeof value === 'string' && value.trim() !== '',
  )
  return (own as string | undefined) ?? null
}

/** What is wrong, with the field as the caller names it. */
export function renameField(detail: Detail, naming: Naming): Detail {
  const field = naming(detail.field)
  return { ...detail, field, message: detail.message.replace(`"${detail.field}"`, `"${field}"`) }
}

function fieldOf(definition: Definition, key: string): Field | undefined {
  return [...definition.fields, ...sharedFields].find((field) => field.key === key)
}

/** The one form in which a value is stored where several mean the same. */
function normal(field: Field | undefined, value: unknown, before?: unknown): unknown {
  const items = field?.items
  if (items && Array.isArray(value)) {
    return withKnownIds(items, value, before).map((entry) =>
      'fields' in items ? normalEntry(items.fields, entry) : normal({ key: '', name: '', ...items }, entry),
    )
  }
  if (typeof value !== 'string' || !field) return value
  if (field.format === 'id') return value.toLowerCase()
  if (field.format === 'currency') return value.toLowerCase()
  if (field.format === 'time-zone') return normalTimeZone(value) ?? value
  if (field.type === 'reference' && isId(value)) return value.toLowerCase()
  return value
}

/** An entry without an id gets one, so that it can be referred to. */
function normalEntry(fields: readonly Field[], entry: unknown): unknown {
  if (!isRecord(entry)) return entry
  const made = fields
    .filter(({ key, format }) => format === 'id' && (ownValue(entry, key) ?? null) === null)
    .map(({ key }) => [key, newId()])
  const kept = Object.entries(entry).map(([key, value]) => [
    key,
    normal(
      fields.find((field) => field.key === key),
      value,
    ),
  ])
  return Object.fromEntries([...kept, ...made])
}

function readOnlyKeysOf({ readOnlyFields = [] }: Definition): ReadonlySet<string> {
  return new Set([...serverOwned, ...readOnlyFields.map(({ key }) => key)])
}

function ignoredBecause(
  key: string,
  readOnly: ReadonlySet<string>,
  hidden: ReadonlySet<string>,
  naming: Naming,
): Detail[] {
  if (readOnly.has(key))
    return [
      { field: naming(key), code: 'read_only', message: `"${key}" is set by the server; what was sent was ignored.` },
    ]
  if (hidden.has(key))
    return [
      {
        field: naming(key),
        code: 'removed_field',
        message: `"${key}" was removed from this kind; what was sent was ignored.`,
      },
    ]
  return []
}

export function statusFaults({ statuses }: Definition, status: unknown): Detail[] {
  if (typeof status === 'string' && statuses.includes(status)) return []
  return [
    {
      field: 'status',
      code: 'unknown_value',
      message: `"status" cannot be ${quote(status)}; allowed: ${statuses.join(', ')}.`,
      allowed: statuses,
    },
  ]
}

function externalIdFaults(externalId: unknown): Detail[] {
  if (externalId === null || (typeof externalId === 'string' && externalId.length >= 1 && externalId.length <= 255))
    return []
  return [
    {
      field: 'externalId',
      code: 'bad_external_id',
      message: '"externalId" must be a text of 1 to 255 characters, or null.',
    },
  ]
}

/** Each of these values is a row of the index, so their number is limited. An object that has more already may keep them, but not get more. */
function otherFieldFaults(definition: Definition, before: Fields, after: Fields): Detail[] {
  const counts = countOtherValues(definition, after)
  const count = sumOf(counts)
  if (count <= mostOtherValues || count <= sumOf(countOtherValues(definition, before))) return []
  const [key] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most))
  const message = `"${key}" is part of ${count} values that the definition of this kind does not name; an object can have at most ${mostOtherValues}. Define fields for them, or send them as a text or as lists within a list, which are kept but not searched.`
  return [{ field: key, code: 'too_many', message }]
}

/** Counts the values under each top-level key. */
function countOtherValues(definition: Definition, json: Fields): Map<string, number> {
  const counts = new Map<string, number>()
  eachOtherField(definition, json, (path) => {
    const [key] = keysOf(path) as [string]
    counts.set(key, (counts.get(key) ?? 0) + 1)
  })
  return counts
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}
