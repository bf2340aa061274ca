import { createHash } from 'node:crypto'
import { parseDate, toWire } from '../../core/dates.ts'
import { addressParts, coordinates, type Definition, type Field } from '../kinds/kind.ts'
import { shared } from '../kinds/shared-fields.ts'
import type { Content, Fields } from '../model/apply.ts'
import { isRecord, own } from '../model/check.ts'
import { unsaid } from '../model/defaults.ts'
import { eachOther, type Scalar } from '../model/other-fields.ts'

/** A value as the index keeps it. */
export type Value = {
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
export type Link = { field: string; position: number; to_id: string; to_key: string }
/** `sha256` in hexadecimal. */
export type Claim = { field: string; sha256: string }
export type Marker = { id: string; kind: string; label: string; latitude: number; longitude: number }

export type Leaves = { values: Value[]; words: Set<string>; links: Link[]; claims: Claim[]; markers: Marker[] }

/** An index can hold no more of a text; comparisons with longer ones look at the object itself. */
export const longestKey = 200

/** A novel is kept whole, and found by its first words: each is a row or more. */
const mostWords = 10_000
const longestWorded = 10_000

/** Longer words have no ends kept. In the terms of ASCII alone, so that PostgreSQL can say the same. */
const longWord = /[^ -/:-@[-`{-~]{41}/u

/** Everything that is kept beside an object so that it can be found, pointed to and told apart. */
export function leavesOf(definition: Definition, { json, name, externalId }: Content): Leaves {
  const leaves: Leaves = { values: [], words: new Set(), links: [], claims: [], markers: [] }
  // First what people know it by, so that its words are kept whatever else there is.
  if (name !== null) pushText(leaves, 'name', 0, name, true)
  if (externalId !== null) pushText(leaves, 'externalId', 0, externalId, true)
  for (const field of definition.fields) {
    const value = own(json, field.key)
    // The name that an object goes by, which may come from another field, stands for `name`.
    if (value === undefined || value === null || field.key === 'name') continue
    gather(leaves, field, value, field.key)
    if (field.unique) leaves.claims.push({ field: field.key, sha256: fingerprint(field, value) })
  }
  const nameField = definition.fields.find(({ key }) => key === 'name')
  if (nameField?.unique && name !== null) leaves.claims.push({ field: 'name', sha256: fingerprint(nameField, name) })
  for (const field of shared) {
    const value = own(json, field.key)
    // What every object says unless told otherwise is not kept of each.
    if (value === undefined || value === null || field.key === 'name' || value === unsaid[field.key]) continue
    gather(leaves, field, value, field.key)
  }
  gatherOthers(leaves, definition, json)
  const here = { latitude: own(json, 'latitude'), longitude: own(json, 'longitude') }
  mark(leaves, here, { id: 'location', kind: 'location', label: name ?? definition.name })
  return leaves
}

/** An object without a name of its own is found by its number under `name` too. */
export function named(values: Value[], full_id: string): Value[] {
  return values.some(({ field }) => field === 'name') ? values : [...values, textValue('name', 0, full_id, true)]
}

/** With its number it is found too. */
export function withFullId({ values, words, ...leaves }: Leaves, full_id: string): Leaves {
  return { ...leaves, values: [textValue('fullId', 0, full_id, true), ...named(values, full_id)], words: new Set([...words, ...wordsOf(full_id)]) }
}

/** The fields that differ, and what stands in them now. */
export function changed<T extends { field: string }>(before: T[], after: T[]): { fields: string[]; next: T[] } {
  const [old, next] = [byField(before), byField(after)]
  const fields = [...new Set([...old.keys(), ...next.keys()])].filter((field) => JSON.stringify(old.get(field)) !== JSON.stringify(next.get(field)))
  return { fields, next: fields.flatMap((field) => next.get(field) ?? []) }
}

function byField<T extends { field: string }>(entries: T[]): Map<string, T[]> {
  return Map.groupBy(entries, ({ field }) => field)
}

/** Upper and lower case, widths and kinds of space made the same. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').replace(/\s+/gu, ' ')
}

/** The words of a text, folded, each as far as an index holds it. */
export function wordsOf(text: string): string[] {
  return (fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(cut)
}

/** A text as far as an index holds it; never half of a character. */
export function cut(text: string): string {
  if (text.length <= longestKey) return text
  const end = text.slice(0, longestKey)
  return end.isWellFormed() ? end : end.slice(0, -1)
}

/** Times are compared as moments, whatever offset they are written with. */
export function comparable(type: Field['type'], text: string): string {
  const moment = type === 'date-time' ? parseDate(text) : null
  return moment ? toWire(moment) : text
}

/** What makes two values of a unique field the same. */
export function fingerprint(field: Pick<Field, 'type'>, value: unknown): string {
  const canonical = typeof value === 'string' ? (field.type === 'email' ? value.toLowerCase() : comparable(field.type, value)) : value
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex')
}

function gather(leaves: Leaves, field: Field, value: unknown, path: string, position = 0): void {
  switch (field.type) {
    case 'list':
      gatherList(leaves, field, value as unknown[], path)
      return
    case 'multi-select':
      for (const [index, choice] of (value as string[]).entries()) pushText(leaves, path, index, choice, true)
      return
    case 'address':
      gatherAddress(leaves, field, value as Fields, path, position)
      return
    case 'reference':
      leaves.links.push({ field: path, position, to_id: value as string, to_key: field.objectKey as string })
      pushText(leaves, path, position, value as string, false)
      return
    case 'number':
    case 'integer':
    case 'money':
      leaves.values.push({ field: path, position, number: value as number })
      return
    case 'boolean':
      leaves.values.push({ field: path, position, flag: value as boolean })
      return
    default:
      pushText(leaves, path, position, comparable(field.type, value as string), isSearched(field.type, path))
  }
}

/** The values of all entries stand under one path: a filter asks whether any of them fits. */
function gatherList(leaves: Leaves, { items, key, name }: Field, entries: unknown[], path: string): void {
  for (const [index, entry] of entries.entries()) {
    if (!items || entry === null) continue
    if ('type' in items) gather(leaves, { key, name, ...items }, entry, path, index)
    else gatherRecord(leaves, items.fields, entry, path, index)
  }
}

function gatherRecord(leaves: Leaves, fields: readonly Field[], entry: unknown, path: string, index: number): void {
  for (const field of fields) {
    const value = isRecord(entry) ? own(entry, field.key) : undefined
    if (value !== undefined && value !== null) gather(leaves, field, value, `${path}.${field.key}`, index)
  }
}

function gatherAddress(leaves: Leaves, { name }: Field, address: Fields, path: string, position: number): void {
  for (const part of addressParts) {
    const value = own(address, part)
    if (typeof value === 'string') pushText(leaves, `${path}.${part}`, position, value, true)
  }
  for (const part of coordinates) {
    const value = own(address, part)
    if (typeof value === 'number') leaves.values.push({ field: `${path}.${part}`, position, number: value })
  }
  const label = [address.companyName, address.city, name].find((text) => typeof text === 'string' && text !== '') as string
  mark(leaves, address, { id: position === 0 ? path : `${path}.${position}`, kind: path, label })
}

/** What no definition names is kept by what it is: a text, a number, true or false. In an order of its own, for keys come back in another than they were sent in. */
function gatherOthers(leaves: Leaves, definition: Definition, json: Fields): void {
  const others = new Map<string, Scalar[]>()
  eachOther(definition, json, (path, value) => {
    const there = others.get(path)
    if (there) there.push(value)
    else others.set(path, [value])
  })
  for (const path of [...others.keys()].sort()) {
    for (const [position, value] of (others.get(path) as Scalar[]).entries()) pushOther(leaves, path, position, value)
  }
}

function pushOther(leaves: Leaves, field: string, position: number, value: Scalar): void {
  if (typeof value === 'number') leaves.values.push({ field, position, number: value })
  else if (typeof value === 'boolean') leaves.values.push({ field, position, flag: value })
  else pushText(leaves, field, position, value, true)
}

function mark(leaves: Leaves, at: Fields, marker: Pick<Marker, 'id' | 'kind' | 'label'>): void {
  const { latitude, longitude } = at
  // At the top level they are numbers like any other; what is no place on earth has no marker.
  if (isWithin(latitude, 90) && isWithin(longitude, 180)) leaves.markers.push({ ...marker, latitude, longitude })
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most
}

function pushText(leaves: Leaves, field: string, position: number, text: string, searched: boolean): void {
  const value = textValue(field, position, text, searched)
  leaves.values.push(searched && !addWords(leaves.words, text) ? { ...value, unworded: true } : value)
}

/** False where there was no room for all of them. */
function addWords(words: Set<string>, text: string): boolean {
  for (const word of wordsOf(text)) {
    if (words.size >= mostWords && !words.has(word)) return false
    words.add(word)
  }
  return true
}

/** Whether parts of it can be looked for. The board is a UUID, which nobody knows by parts. */
export function isSearched(type: Field['type'], path: string): boolean {
  return path !== 'boardId' && (type === 'text' || type === 'email' || type === 'select')
}

export function textValue(field: string, position: number, text: string, searched: boolean): Value {
  const key = cut(text)
  if (!searched) return { field, position, text: key }
  const folded = fold(text)
  const kept = cut(folded)
  const long = (key !== text || kept !== folded) && { long: text, long_folded: folded }
  return { field, position, text: key, folded: kept, ...long, ...(isUnworded(folded) && { unworded: true }) }
}

/** Whether pieces of its words do not find it: then whoever looks for a part of it looks at it itself. */
function isUnworded(folded: string): boolean {
  return longWord.test(folded) || (folded.length > longestWorded && [...folded].length > longestWorded)
}
