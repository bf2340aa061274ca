import type { TSchema } from 'typebox'
import { parseReference, type Reference } from '../core/ids.ts'
import { invalid, quote } from '../core/refusal.ts'
import { unstorable } from '../core/storable.ts'

type Properties = Record<string, TSchema & { type?: string | string[] }>

/**
 * Query text to typed values, by the schema. Arrays come as a repeated key, as `key[]`, or comma-separated; `key[]` takes each value whole,
 * commas included. A parameter without a value is one that was not sent. What cannot be read stays text, for the check to name.
 */
export function queryReader({ properties = {} }: { properties?: Properties }): (sent: Record<string, string | string[]>) => Record<string, unknown> {
  const readers = Object.entries(properties).map(([name, { type }]) => ({ name, bracketed: `${name}[]`, type }))
  return (sent) => {
    const query: Record<string, unknown> = {}
    for (const { name, bracketed, type } of readers) {
      const plain = sent[name]
      const value = type === 'array' ? arrayOf(plain, sent[bracketed]) : plain === undefined ? undefined : scalarOf(name, plain, type)
      if (value !== undefined) query[name] = value
    }
    return query
  }

  function arrayOf(plain: string | string[] | undefined, bracketed: string | string[] | undefined): string[] | undefined {
    if (plain === undefined && bracketed === undefined) return undefined
    const values = [...listOf(plain).flatMap((value) => value.split(',')), ...listOf(bracketed)].map((value) => value.trim()).filter(Boolean)
    return values.length > 0 ? values : undefined
  }
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

/** The record that a path names; a text in none of the three forms is a 400, not a 404. */
export function referenceIn(text: string, field: string): Reference {
  const reference = parseReference(text)
  if (!reference || unstorable(text)) {
    throw invalid(field, 'bad_id', `${quote(text)} is neither a UUID nor of the form ext:<external_id> or external_id:<external_id>.`)
  }
  return reference
}

function listOf<T>(value: T | T[] | undefined): T[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}
