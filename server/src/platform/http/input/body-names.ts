import { invalid } from '../../core/refusal.ts'
import { isOpen, type ObjectSchema } from '../../core/schema/check.ts'
import { isId } from '../../core/values/ids.ts'
import type { UnknownName } from './ignored-names.ts'
import { otherFields } from './other-names.ts'

/** Where a text stands that is no id and may name a record, and which kind of record. */
export type Place = { holder: Record<string | number, unknown>; key: string | number; kind: string; text: string }

/** What a body has of names: those that nothing knows, the first of them whole, and the places of references. */
export type Names = { unknown: UnknownName[]; count: number; places: Place[] }

/** The kind of the record that a field of this name refers to. */
export type KindOf = (field: string) => string | undefined

/**
 * Reads the names in a body, in one pass, by what is made of its schema once: puts the names of the reference in place of others, finds those that
 * nothing knows, and the fields that refer to records. Null where a schema has nothing to look for.
 */
export function namesReader(
  schema: ObjectSchema,
  kindOf: KindOf,
  mostUnknown: number,
): ((body: unknown) => Names) | null {
  const root = nodeOf(schema, kindOf, undefined)
  return (
    root &&
    ((body) => {
      const names: Names = { unknown: [], count: 0, places: [] }
      visit(root, body, '', names, mostUnknown)
      return names
    })
  )
}

type Node = {
  /** What its fields are called, with what is in them; null in one that has names of its own. */
  fields: ReadonlyMap<string, Node | null> | null
  known: readonly string[]
  others: ReadonlyMap<string, string>
  /** Whether what is not among its fields goes no further. */
  isTrimmed: boolean
  items: Node | null
  kind: string | undefined
}

function nodeOf(schema: ObjectSchema, kindOf: KindOf, name: string | undefined): Node | null {
  const kind = name !== undefined && schema.format === 'uuid' ? kindOf(name) : undefined
  const items = schema.items ? nodeOf(schema.items, kindOf, name) : null
  if (!schema.properties)
    return items || kind ? { fields: null, known: [], others: new Map(), isTrimmed: false, items, kind } : null
  const fields = new Map(
    Object.entries(schema.properties).map(([field, inner]) => [field, nodeOf(inner, kindOf, field)]),
  )
  const known = [...fields.keys()]
  return { fields, known, others: otherFields(known), isTrimmed: isOpen(schema), items, kind }
}

function visit(node: Node, value: unknown, path: string, names: Names, mostUnknown: number): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    const { items } = node
    if (items?.kind) for (let index = 0; index < value.length; index++) note(names, value as never, index, items.kind)
    else if (items)
      for (let index = 0; index < value.length; index++)
        visit(items, value[index], `${path}[${index}]`, names, mostUnknown)
    return
  }
  if (!node.fields) return
  const holder = value as Record<string, unknown>
  for (const sent of Object.keys(holder)) {
    const name = node.fields.has(sent) ? sent : nameOf(node, holder, sent)
    const inner = node.fields.get(name)
    if (inner?.kind) note(names, holder, name, inner.kind)
    else if (inner) visit(inner, holder[name], path === '' ? name : `${path}.${name}`, names, mostUnknown)
    else if (inner === undefined && node.isTrimmed) {
      names.count += 1
      if (names.unknown.length < mostUnknown)
        names.unknown.push({ name, within: path === '' ? '' : `${path}.`, known: node.known })
    }
  }
}

function note({ places }: Names, holder: Place['holder'], key: string | number, kind: string): void {
  const text = holder[key]
  if (typeof text === 'string' && !isId(text)) places.push({ holder, key, kind, text })
}

/** The name of the reference, under which the value is from here on: in place of a null too, as an address has it that was read with such a part. */
function nameOf({ others }: Node, holder: Record<string, unknown>, sent: string): string {
  const name = others.get(sent)
  if (name === undefined) return sent
  const value = holder[sent]
  if (!Object.hasOwn(holder, name) || holder[name] === null) holder[name] = value
  else if (JSON.stringify(holder[name]) !== JSON.stringify(value)) throw sentTwice(sent, name)
  delete holder[sent]
  return name
}

export function sentTwice(other: string, name: string) {
  return invalid(
    other,
    'repeated',
    `"${other}" is another name of "${name}", and both were sent; send "${name}" alone.`,
  )
}
