import type { TSchema } from 'typebox'
import { parseReference, type Reference } from '../core/ids.ts'
import { invalid, quote } from '../core/refusal.ts'
import { unstorable } from './json-body.ts'

type Properties = Record<string, TSchema & { type?: string | string[] }>

/**
 * Query text to typed values, by the schema. Arrays come as a repeated key, as `key[]`, or comma-separated; `key[]` takes each value whole,
 * commas included. A parameter without a value is one that was not sent. What cannot be read stays text, for the check to name.
 */
export function readQuery(schema: { properties?: Properties }, sent: Record<string, string | string[]>): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  for (const [name, { type }] of Object.entries(schema.properties ?? {})) {
    const plain = listOf(sent[name])
    if (type === 'array') {
      const values = [...plain.flatMap((value) => value.split(',')), ...listOf(sent[`${name}[]`])].map((value) => value.trim()).filter(Boolean)
      if (values.length > 0) query[name] = values
      continue
    }
    if (plain.length > 1) throw invalid(name, 'repeated', `"${name}" was sent more than once; send it once.`)
    const [value] = plain
    if (value === undefined || value === '') continue
    query[name] = type === 'integer' && /^[+-]?\d+$/.test(value) ? Number(value) : type === 'boolean' && /^(true|false)$/.test(value) ? value === 'true' : value
  }
  for (const [name, value] of Object.entries(query)) {
    const problem = listOf(value as string)
      .map((text) => (typeof text === 'string' ? unstorable(text) : null))
      .find(Boolean)
    if (problem) throw invalid(name, 'bad_text', `"${name}" contains ${problem}, which nothing stored can match.`)
  }
  return query
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
