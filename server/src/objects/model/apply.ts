import { isId, newId } from '../../core/ids.ts'
import { type Detail, invalid, invalidAll, quote } from '../../core/refusal.ts'
import type { Definition, Field } from '../kinds/kind.ts'
import { shared } from '../kinds/shared-fields.ts'
import { checkField, isRecord, own } from './check.ts'
import { withKnownIds } from './entry-ids.ts'
import { eachOther, keysOf } from './other-fields.ts'

/** What a client says of an object: fields by their keys. */
export type Fields = Readonly<Record<string, unknown>>

/** The part of an object that is its client's. `name` is null where the client gave none: then the object goes by its `fullId`. */
export type Content = { readonly json: Fields; readonly name: string | null; readonly status: string; readonly externalId: string | null }

/** Set by the server alone; sent by a client they are ignored, and named in `errors` of the answer. */
export const serverOwned = [
  'id',
  'objectKey',
  'orgId',
  'source',
  'widgets',
  'widgetToOpen',
  'fullId',
  'mapMarkers',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'version',
  'deletedAt',
  'errors',
] as const

const mostOthers = 10_000

/** How a refusal names a field: a path such as `pickup.city` in the caller's own terms. */
export type Naming = (path: string) => string

/**
 * What becomes of an object (or of none yet) when a client sends these fields: those sent replace what was there, null clears, the rest stays.
 * All that is wrong is said at once.
 */
export function apply(
  definition: Definition,
  before: Content | null,
  sent: Fields,
  { naming, currencies }: { naming: Naming; currencies: ReadonlySet<string> },
): { after: Content; ignored: Detail[] } {
  const hidden = new Set(definition.hidden.map(({ key }) => key))
  const owned = ownedOf(definition)
  const ignored = Object.keys(sent).flatMap((key) => ignoredBecause(key, owned, hidden, naming))
  const taken = Object.entries(sent).filter(([key]) => !owned.has(key) && !hidden.has(key) && key !== 'status' && key !== 'externalId')
  const json = { ...before?.json, ...Object.fromEntries(taken.map(([key, value]) => [key, normal(fieldOf(definition, key), value, before?.json[key])])) }
  const status = sent.status ?? before?.status ?? definition.statuses[0]
  const externalId = sent.externalId === undefined ? (before?.externalId ?? null) : sent.externalId
  const wrong = [
    ...faults(definition, json, currencies),
    ...statusFaults(definition, status),
    ...externalIdFaults(externalId),
    ...otherFaults(definition, before?.json ?? {}, json),
  ]
  if (wrong.length > 0) throw invalidAll(wrong.map((detail) => renamed(detail, naming)))
  return { after: { json, name: nameOf(definition, json), status: status as string, externalId: externalId as string | null }, ignored }
}

/** The board stands beside the fields when an object is made, and among them when it is read: sent back as it was read, it is said twice. */
export function onBoard(json: Fields, boardId: unknown): Fields {
  if (boardId === undefined) return json
  if (Object.hasOwn(json, 'boardId') && lowered(json.boardId) !== lowered(boardId))
    throw invalid('boardId', 'contradiction', '"boardId" is one thing, and that in "json" another. Send it once.')
  return { ...json, boardId }
}

function lowered(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}

/**
 * `{ json: {…} }`, or the fields themselves, which both at once would be kept as something that nobody meant. A whole object as it was read has its id,
 * and may have a field of that name.
 */
export function fieldsSent(body: Fields): Fields {
  const { json } = body
  if (typeof json !== 'object' || json === null || Array.isArray(json) || Object.hasOwn(body, 'id')) return body
  const others = Object.keys(body).filter((key) => !['json', 'boardId', 'objectKey'].includes(key))
  if (others.length > 0)
    throw invalid('json', 'ambiguous', `"json" holds the fields, and ${quote(others[0])} stands beside it. Send { "json": {…} }, or the fields themselves.`)
  return onBoard(json as Fields, body.boardId)
}

/** Everything that stands between these fields and the definition. */
export function faults(definition: Definition, json: Fields, currencies: ReadonlySet<string>): Detail[] {
  const extra = shared.filter(({ key }) => !definition.fields.some((field) => field.key === key))
  return [...definition.fields, ...extra].flatMap((field) => checkField(field, own(json, field.key), field.key, currencies))
}

/** By name, by what the kind is known by, or else not at all. */
export function nameOf(definition: Definition, json: Fields): string | null {
  const own = [json.name, definition.title && json[definition.title]].find((value) => typeof value === 'string' && value.trim() !== '')
  return (own as string | undefined) ?? null
}

function fieldOf(definition: Definition, key: string): Field | undefined {
  return [...definition.fields, ...shared].find((field) => field.key === key)
}

/** The form in which a value is kept where several mean the same. */
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
  if (field.type === 'reference' && isId(value)) return value.toLowerCase()
  return value
}

/** An entry that has an id keeps it; one that comes without gets one, by which others can name it. */
function normalEntry(fields: readonly Field[], entry: unknown): unknown {
  if (!isRecord(entry)) return entry
  const made = fields.filter(({ key, format }) => format === 'id' && (own(entry, key) ?? null) === null).map(({ key }) => [key, newId()])
  const kept = Object.entries(entry).map(([key, value]) => [
    key,
    normal(
      fields.find((field) => field.key === key),
      value,
    ),
  ])
  return Object.fromEntries([...kept, ...made])
}

function ownedOf({ told = [] }: Pick<Definition, 'told'>): ReadonlySet<string> {
  return new Set([...serverOwned, ...told.map(({ key }) => key)])
}

function ignoredBecause(key: string, owned: ReadonlySet<string>, hidden: ReadonlySet<string>, naming: Naming): Detail[] {
  if (owned.has(key)) return [{ field: naming(key), code: 'read_only', message: `"${key}" is set by the server; what was sent was ignored.` }]
  if (hidden.has(key)) return [{ field: naming(key), code: 'removed_field', message: `"${key}" was removed from this kind; what was sent was ignored.` }]
  return []
}

export function statusFaults({ statuses }: Definition, status: unknown): Detail[] {
  if (typeof status === 'string' && statuses.includes(status)) return []
  return [{ field: 'status', code: 'unknown_value', message: `"status" cannot be ${quote(status)}; allowed: ${statuses.join(', ')}.`, allowed: statuses }]
}

function externalIdFaults(externalId: unknown): Detail[] {
  if (externalId === null || (typeof externalId === 'string' && externalId.length >= 1 && externalId.length <= 255)) return []
  return [{ field: 'externalId', code: 'bad_external_id', message: '"externalId" must be a text of 1 to 255 characters, or null.' }]
}

/** Each of them is kept so that it can be found, so there is an end to them; what has more already may stay, and not grow. */
function otherFaults(definition: Definition, before: Fields, after: Fields): Detail[] {
  const counts = countOthers(definition, after)
  const count = sumOf(counts)
  if (count <= mostOthers || count <= sumOf(countOthers(definition, before))) return []
  const [key] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most))
  const message = `"${key}" is part of ${count} values that the definition of this kind does not name; an object can have at most ${mostOthers}. Define fields for them, or send them as a text or as lists within a list, which are kept but not searched.`
  return [{ field: key, code: 'too_many', message }]
}

/** By the field they are in. */
function countOthers(definition: Definition, json: Fields): Map<string, number> {
  const counts = new Map<string, number>()
  eachOther(definition, json, (path) => {
    const [key] = keysOf(path) as [string]
    counts.set(key, (counts.get(key) ?? 0) + 1)
  })
  return counts
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

function renamed(detail: Detail, naming: Naming): Detail {
  const field = naming(detail.field)
  return { ...detail, field, message: detail.message.replace(`"${detail.field}"`, `"${field}"`) }
}
