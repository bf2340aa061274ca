import { createHash } from 'node:crypto'
import { parseDate, toWire } from '../../platform/core/values/dates.ts'
import { addressParts, coordinates, type Definition, type Field, type Item } from '../kinds/kind.ts'
import { sharedFields } from '../kinds/shared-fields.ts'
import { checkField, isRecord, mostEntries, ownValue } from '../model/check.ts'
import { defaultValues } from '../model/defaults.ts'
import type { Content, Fields, Scalar } from '../model/object.ts'
import { eachOtherField } from '../model/other-fields.ts'
import { cut, fold, wordsOf } from './text.ts'

/** A row of `object_values`: a value of a field, as texts, numbers and booleans are compared. `unworded` texts cannot be found by their words. */
export type ValueEntry = {
  field: string
  position: number
  text?: string
  folded?: string
  long?: string
  long_folded?: string
  number?: number
  flag?: boolean
  unworded?: true
}
export type ReferenceEntry = { field: string; position: number; to_id: string; to_key: string }
/** `sha256` in hexadecimal. */
export type UniqueEntry = { field: string; sha256: string }
export type Marker = { id: string; kind: string; label: string; latitude: number; longitude: number }

export type IndexEntries = {
  values: ValueEntry[]
  words: Set<string>
  references: ReferenceEntry[]
  uniqueValues: UniqueEntry[]
  markers: Marker[]
}

/** Only the first words of an object are indexed, because each is a row or more. */
const mostWords = 10_000
const longestIndexed = 10_000

/** The ends of longer words are not indexed. Written in ASCII alone, so that it means the same in PostgreSQL. */
const longWord = /[^ -/:-@[-`{-~]{41}/u

/** All index entries of an object: what it is found by, what it refers to, which unique values it has, and its markers on a map. */
export function entriesOf(definition: Definition, { json, name, externalId }: Content): IndexEntries {
  const entries: IndexEntries = { values: [], words: new Set(), references: [], uniqueValues: [], markers: [] }
  // Name and external id first: their words are indexed however many others there are.
  if (name !== null) addText(entries, 'name', 0, name, true)
  if (externalId !== null) addText(entries, 'externalId', 0, externalId, true)
  for (const field of definition.fields) {
    const value = ownValue(json, field.key)
    // The entry of `name` is made above, because the name may come from another field.
    if (value === undefined || value === null || field.key === 'name' || isMisfit(field, value)) continue
    addField(entries, field, value, field.key)
    if (field.unique) entries.uniqueValues.push({ field: field.key, sha256: fingerprint(field, value) })
  }
  const nameField = definition.fields.find(({ key }) => key === 'name')
  if (nameField?.unique && name !== null)
    entries.uniqueValues.push({ field: 'name', sha256: fingerprint(nameField, name) })
  for (const field of sharedFields) {
    const value = ownValue(json, field.key)
    // Default values are not indexed: nearly every object has them.
    if (value === undefined || value === null || field.key === 'name' || value === defaultValues[field.key]) continue
    addField(entries, field, value, field.key)
  }
  addOtherFields(entries, definition, json)
  const here = { latitude: ownValue(json, 'latitude'), longitude: ownValue(json, 'longitude') }
  addMarker(entries, here, { id: 'location', kind: 'location', label: name ?? definition.name })
  return entries
}

/** The name of an object without one is its `fullId`. */
export function addName(values: ValueEntry[], full_id: string): ValueEntry[] {
  return values.some(({ field }) => field === 'name') ? values : [...values, textValue('name', 0, full_id, true)]
}

/** Also finds the object by its `fullId`, which a new object gets last. */
export function withFullId({ values, words, ...entries }: IndexEntries, full_id: string): IndexEntries {
  return {
    ...entries,
    values: [textValue('fullId', 0, full_id, true), ...addName(values, full_id)],
    words: new Set([...words, ...wordsOf(full_id)]),
  }
}

/** Times are compared as moments, whatever offset they are written with. */
function comparable(type: Field['type'], text: string): string {
  const moment = type === 'date-time' ? parseDate(text) : null
  return moment ? toWire(moment) : text
}

/** What makes two values of a unique field the same. */
function fingerprint(field: Pick<Field, 'type'>, value: unknown): string {
  const canonical =
    typeof value === 'string' ? (field.type === 'email' ? value.toLowerCase() : comparable(field.type, value)) : value
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex')
}

const anyCurrency = { has: () => true } as unknown as ReadonlySet<string>

/** An object from before a list was built in may have something else under its name, which stays until it is next sent, and is not indexed. */
function isMisfit(field: Field, value: unknown): boolean {
  return field.type === 'list' && checkField(field, value, field.key, anyCurrency).length > 0
}

function addField(
  entries: IndexEntries,
  field: Field,
  value: unknown,
  path: string,
  position = 0,
  markerKind = path,
): void {
  switch (field.type) {
    case 'list':
      addList(entries, field, value as unknown[], path, position)
      return
    case 'multi-select':
      for (const [index, choice] of (value as string[]).entries()) addText(entries, path, index, choice, true)
      return
    case 'address':
      addAddress(entries, field, value as Fields, path, position, markerKind)
      return
    case 'reference':
      entries.references.push({ field: path, position, to_id: value as string, to_key: field.objectKey as string })
      addText(entries, path, position, value as string, false)
      return
    case 'number':
    case 'integer':
    case 'money':
      entries.values.push({ field: path, position, number: value as number })
      return
    case 'boolean':
      entries.values.push({ field: path, position, flag: value as boolean })
      return
    default:
      addText(entries, path, position, comparable(field.type, value as string), isSearched(field.type, path))
  }
}

/** All items of a list have the same path, so a filter finds the object if any of them fits. Those of a list within a record have places after each other. */
function addList(
  entries: IndexEntries,
  { items, key, name }: Field,
  list: unknown[],
  path: string,
  position: number,
): void {
  for (const [index, entry] of list.entries()) {
    if (!items || entry === null) continue
    if ('type' in items) addField(entries, { key, name, ...items }, entry, path, position * mostEntries + index)
    else addRecord(entries, items, entry, path, index)
  }
}

function addRecord(
  entries: IndexEntries,
  { fields, markerKind }: Extract<Item, { fields: unknown }>,
  entry: unknown,
  path: string,
  index: number,
): void {
  if (!isRecord(entry)) return
  const kind = markerKind === undefined ? undefined : (ownValue(entry, markerKind) as string)
  for (const field of fields) {
    const value = ownValue(entry, field.key)
    if (value !== undefined && value !== null) addField(entries, field, value, `${path}.${field.key}`, index, kind)
  }
}

function addAddress(
  entries: IndexEntries,
  { name }: Field,
  address: Fields,
  path: string,
  position: number,
  kind: string,
): void {
  for (const part of addressParts) {
    const value = ownValue(address, part)
    if (typeof value === 'string') addText(entries, `${path}.${part}`, position, value, true)
  }
  for (const part of coordinates) {
    const value = ownValue(address, part)
    if (typeof value === 'number') entries.values.push({ field: `${path}.${part}`, position, number: value })
  }
  const label = [address.companyName, address.city, name].find(
    (text) => typeof text === 'string' && text !== '',
  ) as string
  addMarker(entries, address, { id: position === 0 ? path : `${path}.${position}`, kind, label })
}

/** Fields that the definition does not name are indexed by the type of their value. Sorted, because jsonb returns keys in another order than they were sent in. */
function addOtherFields(entries: IndexEntries, definition: Definition, json: Fields): void {
  const byPath = new Map<string, Scalar[]>()
  eachOtherField(definition, json, (path, value) => {
    const there = byPath.get(path)
    if (there) there.push(value)
    else byPath.set(path, [value])
  })
  for (const path of [...byPath.keys()].sort()) {
    for (const [position, value] of (byPath.get(path) as Scalar[]).entries()) addScalar(entries, path, position, value)
  }
}

function addScalar(entries: IndexEntries, field: string, position: number, value: Scalar): void {
  if (typeof value === 'number') entries.values.push({ field, position, number: value })
  else if (typeof value === 'boolean') entries.values.push({ field, position, flag: value })
  else addText(entries, field, position, value, true)
}

function addMarker(entries: IndexEntries, at: Fields, marker: Pick<Marker, 'id' | 'kind' | 'label'>): void {
  const { latitude, longitude } = at
  // Top-level latitude and longitude may be any numbers; only coordinates that exist get a marker.
  if (isWithin(latitude, 90) && isWithin(longitude, 180)) entries.markers.push({ ...marker, latitude, longitude })
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most
}

function addText(entries: IndexEntries, field: string, position: number, text: string, searched: boolean): void {
  const value = textValue(field, position, text, searched)
  entries.values.push(searched && !addWords(entries.words, text) ? { ...value, unworded: true } : value)
}

/** False if the limit left some of them out. */
function addWords(words: Set<string>, text: string): boolean {
  for (const word of wordsOf(text)) {
    if (words.size >= mostWords && !words.has(word)) return false
    words.add(word)
  }
  return true
}

/** Whether parts of its text can be searched for. Nobody searches for part of a board's UUID. */
export function isSearched(type: Field['type'], path: string): boolean {
  return path !== 'boardId' && (type === 'text' || type === 'email' || type === 'select')
}

function textValue(field: string, position: number, text: string, searched: boolean): ValueEntry {
  const key = cut(text)
  if (!searched) return { field, position, text: key }
  const folded = fold(text)
  const kept = cut(folded)
  const long = (key !== text || kept !== folded) && { long: text, long_folded: folded }
  return { field, position, text: key, folded: kept, ...long, ...(isUnworded(folded) && { unworded: true }) }
}

/** Whether the ends of its words are not all indexed: then `contains` reads the text itself. */
function isUnworded(folded: string): boolean {
  return longWord.test(folded) || (folded.length > longestIndexed && [...folded].length > longestIndexed)
}
