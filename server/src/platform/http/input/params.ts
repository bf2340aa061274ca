import type { TSchema } from 'typebox'
import { invalid, quote } from '../../core/refusal.ts'
import { type PlainReference, parseReference, type Reference } from '../../core/values/ids.ts'
import { unstorable } from '../../core/values/storable.ts'

type Properties = Record<string, TSchema & { type?: string | string[] }>

type Query = Record<string, string | string[]>

/**
 * Query text to typed values, by the schema. Arrays come as a repeated key, as `key[]`, as `key[0]`, or comma-separated; with brackets each value is
 * taken whole, commas included. A parameter without a value is one that was not sent. What cannot be read stays text, for the check to name.
 */
export function queryReader({
  properties = {},
}: {
  properties?: Properties
}): (sent: Query) => Record<string, unknown> {
  const readers = Object.entries(properties).map(([name, { type }]) => ({ name, type }))
  return (sent) => {
    const query: Record<string, unknown> = {}
    const bracketed = bracketedIn(sent)
    for (const { name, type } of readers) {
      const plain = sent[name]
      const value =
        type === 'array'
          ? arrayOf(plain, bracketed?.get(name))
          : plain === undefined
            ? undefined
            : scalarOf(name, plain, type)
      if (value !== undefined) query[name] = value
    }
    return query
  }

  function arrayOf(
    plain: string | string[] | undefined,
    bracketed: readonly string[] | undefined,
  ): string[] | undefined {
    if (plain === undefined && bracketed === undefined) return undefined
    const values = [...listOf(plain).flatMap((value) => value.split(',')), ...(bracketed ?? [])]
      .map((value) => value.trim())
      .filter(Boolean)
    return values.length > 0 ? values : undefined
  }
}

/** The names of parameters that a schema does not know, in whatever form they come. */
export function unknownParameters({ properties = {} }: { properties?: Properties }): (sent: object) => string[] {
  const known = new Map(Object.entries(properties).map(([name, { type }]) => [name, type === 'array']))
  return (sent) => {
    const unknown: string[] = []
    for (const name in sent) if (!known.has(name) && !known.get(bracket.exec(name)?.[1] ?? '')) unknown.push(name)
    return unknown
  }
}

const bracket = /^([^[\]]+)\[(\d{0,6})\]$/

/** The values of `key[]` and `key[0]`, by their key, in the order of their numbers; those without a number come first. */
function bracketedIn(sent: Query): Map<string, string[]> | undefined {
  let found: Map<string, [index: number, values: string[]][]> | undefined
  for (const name in sent) {
    const [, key, index] = name.endsWith(']') ? (bracket.exec(name) ?? []) : []
    if (key === undefined) continue
    found ??= new Map()
    const parts = found.get(key) ?? []
    parts.push([index ? Number(index) : -1, listOf(sent[name])])
    found.set(key, parts)
  }
  return (
    found &&
    new Map(
      [...found].map(([key, parts]) => [
        key,
        parts.toSorted(([one], [other]) => one - other).flatMap(([, values]) => values),
      ]),
    )
  )
}

function scalarOf(name: string, sent: string | string[], type: string | string[] | undefined): unknown {
  if (typeof sent !== 'string') throw invalid(name, 'repeated', `"${name}" was sent more than once; send it once.`)
  if (sent === '') return undefined
  if (type === 'integer' && /^[+-]?\d+$/.test(sent)) return Number(sent)
  return type === 'boolean' && /^(true|false)$/.test(sent) ? sent === 'true' : sent
}

/** What PostgreSQL cannot hold, no row can match. */
export function refuseUnstorable(query: Record<string, unknown>): void {
  for (const name in query) {
    const value = query[name]
    if (typeof value === 'string') refuseText(name, value)
    else if (Array.isArray(value)) for (const text of value) refuseText(name, text)
  }
}

function refuseText(name: string, text: string): void {
  const problem = unstorable(text)
  if (problem) throw invalid(name, 'bad_text', `"${name}" contains ${problem}, which nothing stored can match.`)
}

/** The record that a path names; a text in none of the forms that its kind has is a 400, not a 404. `prefix` is that of its numbers, if it has some. */
export function referenceIn(text: string, field: string): PlainReference
export function referenceIn(text: string, field: string, prefix: string): Reference
export function referenceIn(text: string, field: string, prefix?: string): Reference {
  const reference = parseReference(text, prefix)
  if (!reference || unstorable(text)) {
    const number = prefix === undefined || prefix === 'any' ? '' : `, nor a number such as ${prefix}-000123`
    throw invalid(
      field,
      'bad_id',
      `${quote(text)} is neither a UUID nor of the form ext:<external_id> or external_id:<external_id>${number}.`,
    )
  }
  return reference
}

function listOf<T>(value: T | T[] | undefined): T[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}
