import { isDeepStrictEqual } from 'node:util'
import { nameKeyword } from '../../core/schema/names.ts'

export type Schema = { [key: string]: unknown; $ref?: string; properties?: Record<string, Schema>; items?: Schema }
/** The schemas of the document by name, and the one way to add to them. */
export type Schemas = { all(): Record<string, Schema>; refer(name: string, schema: Schema): Schema }

/** What says something of a place and not of the values there, so it stays where a schema is used. */
const annotations = ['title', 'description', 'examples', 'default', 'readOnly', 'writeOnly', 'deprecated']
/** Those that go to the schema if every place says the same. */
const movable = ['description', 'examples']
/** Keywords whose values are no schemas, and those whose keys are names of the document. */
const literals = ['example', 'examples', 'default', 'const', 'enum', nameKeyword]
const maps = ['properties', 'patternProperties']

export function schemasBeginningWith(first: Record<string, Schema>): Schemas {
  const kept = new Map(Object.entries(first))
  return {
    all: () => Object.fromEntries([...kept].toSorted(([one], [other]) => (one < other ? -1 : 1))),
    refer(name, schema) {
      requireName(name)
      const there = kept.get(name)
      if (there && !isDeepStrictEqual(there, schema))
        throw new Error(
          `Two schemas of the OpenAPI document would be called ${name}: ${JSON.stringify(there)} and ${JSON.stringify(schema)}. Give one of them another name, with named().`,
        )
      if (!there) kept.set(name, schema)
      return { $ref: `#/components/schemas/${name}` }
    },
  }
}

export function requireName(name: string): void {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name))
    throw new Error(`"${name}" is no name for a component of the OpenAPI document.`)
}

/** A copy of a part of the document, in which a reference stands for every schema that was given a name. */
export function namedTakenOut<T>(part: T, takeOut: (schema: Schema) => Schema): T {
  return copied(part, false) as T

  function copied(node: unknown, isMap: boolean): unknown {
    if (Array.isArray(node)) return node.map((inner) => copied(inner, false))
    if (typeof node !== 'object' || node === null) return node
    const copy: Schema = Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        !isMap && literals.includes(key) ? value : copied(value, !isMap && maps.includes(key)),
      ]),
    )
    return !isMap && typeof copy[nameKeyword] === 'string' ? takeOut(copy) : copy
  }
}

/** Takes schemas out into components, and at the end moves there what all places say of one. */
export function takingOut(schemas: Schemas): { takeOut(schema: Schema): Schema; finish(): void } {
  const uses = new Map<string, { content: Schema; places: Schema[] }>()
  return {
    takeOut({ [nameKeyword]: name, ...schema }) {
      const { content, place, isNullable } = apart(schema)
      const reference = schemas.refer(name as string, content)
      Object.assign(place, isNullable ? { anyOf: [reference, { type: 'null' }] } : reference)
      const found = uses.get(name as string) ?? { content, places: [] }
      uses.set(name as string, { ...found, places: [...found.places, place] })
      return place
    },
    finish() {
      for (const { content, places } of uses.values())
        for (const key of movable) {
          const [first] = places
          if (first?.[key] === undefined || !places.every((place) => isDeepStrictEqual(place[key], first[key])))
            continue
          content[key] = first[key]
          for (const place of places) delete place[key]
        }
    },
  }
}

/** What a schema says of its values, what it says of the place, and whether null is taken there too. */
function apart(schema: Schema): { content: Schema; place: Schema; isNullable: boolean } {
  const entries = Object.entries(schema)
  const place = Object.fromEntries(entries.filter(([key]) => annotations.includes(key)))
  const { type, enum: values, ...content } = Object.fromEntries(entries.filter(([key]) => !annotations.includes(key)))
  const isNullable = Array.isArray(type) && type.includes('null')
  return {
    isNullable,
    place,
    content: {
      ...(type !== undefined && { type: isNullable ? withoutNull(type) : type }),
      ...(values !== undefined && { enum: (values as unknown[]).filter((value) => value !== null || !isNullable) }),
      ...content,
    },
  }
}

function withoutNull(types: readonly unknown[]): unknown {
  const others = types.filter((type) => type !== 'null')
  return others.length === 1 ? others[0] : others
}
