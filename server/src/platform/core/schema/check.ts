import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Format } from 'typebox/format'
import { Compile, type Validator } from 'typebox/schema'
import { type Detail, invalidAll, quote } from '../refusal.ts'
import { isDay, parseDate } from '../values/dates.ts'
import { parseReference } from '../values/ids.ts'

export type ObjectSchema = TSchema & {
  type?: string | string[]
  format?: string
  properties?: Record<string, ObjectSchema>
  items?: ObjectSchema
  maxItems?: number
  additionalProperties?: unknown
}

Format.Set('date-time', (text) => parseDate(text) !== null)
Format.Set('date', (text) => isDay(text))
Format.Set('moment', (text) => parseDate(text) !== null)

/**
 * The check that a schema is: gives back what it knows of the value, or refuses in words that name every field that is wrong. It is compiled when it is
 * first used: those of all routes would be a tenth of a start.
 */
export function checkerOf(schema: ObjectSchema, { trims = true } = {}): (sent: unknown) => unknown {
  let compiled: Validator | undefined
  const trim = trims ? trimmerOf(schema) : null
  const count = counterOf(schema)
  return (sent) => {
    count?.(sent)
    compiled ??= Compile(schema)
    if (compiled.Check(sent)) return trim ? trim(sent) : sent
    throw invalidAll(explain(compiled.Errors(sent)[1], sent))
  }
}

/**
 * Refuses a list that has more entries than it may have, before anybody looks at what is in it: the check would look at every entry first, and compare
 * each with all others where none may be there twice. Null where a schema has no such list.
 */
export function counterOf(schema: ObjectSchema): ((value: unknown, path?: string) => void) | null {
  const { maxItems: most = Number.POSITIVE_INFINITY } = schema
  const countItem = schema.items ? counterOf(schema.items) : null
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const count = counterOf(inner)
    return count ? [{ name, count }] : []
  })
  if (most === Number.POSITIVE_INFINITY && !countItem && fields.length === 0) return null
  return (value, path = '') => {
    if (Array.isArray(value)) {
      if (value.length > most) throw invalidAll([tooMany(path, most)])
      for (let index = 0; countItem && index < value.length; index++) countItem(value[index], within(path, index))
    } else if (typeof value === 'object' && value !== null)
      for (const { name, count } of fields)
        if (Object.hasOwn(value, name)) count((value as Record<string, unknown>)[name], within(path, name))
  }
}

function within(path: string, part: string | number): string {
  return path === '' ? String(part) : `${path}.${part}`
}

/**
 * Unknown fields are ignored: they go no further than this. A schema that says `additionalProperties: true` wants them. Null where there is nothing
 * to trim.
 */
function trimmerOf(schema: ObjectSchema): ((value: unknown) => unknown) | null {
  const trimItem = schema.items ? trimmerOf(schema.items) : null
  const fields = isOpen(schema)
    ? Object.entries(schema.properties).map(([name, inner]) => ({ name, trim: trimmerOf(inner) }))
    : null
  if (!trimItem && !fields) return null
  return (value) => {
    if (Array.isArray(value)) return trimItem ? value.map(trimItem) : value
    if (!fields || typeof value !== 'object' || value === null) return value
    const kept: Record<string, unknown> = {}
    for (const { name, trim } of fields) {
      if (!Object.hasOwn(value, name)) continue
      const inner = (value as Record<string, unknown>)[name]
      kept[name] = trim ? trim(inner) : inner
    }
    return kept
  }
}

/** Whether unknown fields are ignored in it. */
export function isOpen(schema: ObjectSchema): schema is ObjectSchema & { properties: Record<string, ObjectSchema> } {
  return schema.properties !== undefined && schema.additionalProperties === undefined
}

/** A check's findings in words that say what is wrong and what would be right, one per field. */
function explain(errors: TLocalizedValidationError[], sent: unknown): Detail[] {
  const details = errors.filter((error) => !isOtherForm(error, errors)).flatMap((error) => explainOne(error, sent))
  return details.filter(({ field }, index) => details.findIndex((other) => other.field === field) === index)
}

/** Where a value may have one of several types, and has one of them: then not its type is wrong, but what is found of it in that form. */
function isOtherForm(
  { keyword, instancePath: path }: TLocalizedValidationError,
  errors: readonly TLocalizedValidationError[],
): boolean {
  if (keyword !== 'type' && keyword !== 'anyOf') return false
  const isAboutForm = (other: TLocalizedValidationError) =>
    other.instancePath === path && (other.keyword === 'type' || other.keyword === 'anyOf')
  const hasOtherType = errors.some((other) => other.keyword === 'type' && other.instancePath === path)
  return (
    hasOtherType &&
    errors.some(
      (other) => !isAboutForm(other) && (other.instancePath === path || other.instancePath.startsWith(`${path}/`)),
    )
  )
}

function explainOne({ keyword, instancePath, params, message }: TLocalizedValidationError, sent: unknown): Detail[] {
  const parts = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const field = parts.join('.')
  const name = field === '' ? 'The body' : `"${field}"`
  const value = parts.reduce<unknown>((inner, part) => (inner as Record<string, unknown> | undefined)?.[part], sent)
  const facts = params as Record<string, unknown>
  switch (keyword) {
    case 'required':
      return (facts.requiredProperties as string[]).map((missing) => {
        const path = field === '' ? missing : `${field}.${missing}`
        return detail(path, 'required', `"${path}" is required.`)
      })
    case 'type':
      return [detail(field, 'wrong_type', `${name} must be ${typeNames(facts.type)}, not ${describe(value)}.`)]
    case 'format': {
      // Those that are there have an id in its place by now.
      if (facts.format === 'uuid' && typeof value === 'string' && parseReference(value)?.by === 'external_id')
        return [
          detail(
            field,
            'unknown_reference',
            `${name} names no record that it could refer to: there is none with the external id of ${quote(value)}.`,
          ),
        ]
      const format = facts.format === 'moment' ? 'date-time' : String(facts.format)
      return [
        detail(
          field,
          `bad_${format.replace('-', '_')}`,
          `${name} must be ${formatNames[format] ?? `a valid ${format}`}, not ${quote(value)}.`,
        ),
      ]
    }
    case 'enum': {
      const allowed = (facts.allowedValues as unknown[]).filter((item) => item !== null).map(String)
      return [
        {
          ...detail(field, 'unknown_value', `${name} cannot be ${quote(value)}; allowed: ${allowed.join(', ')}.`),
          allowed,
        },
      ]
    }
    case 'minLength':
      return [
        detail(
          field,
          'too_short',
          facts.limit === 1 ? `${name} cannot be empty.` : `${name} needs at least ${facts.limit} characters.`,
        ),
      ]
    case 'maxLength':
      return [detail(field, 'too_long', `${name} can have at most ${facts.limit} characters.`)]
    case 'minimum':
      return [detail(field, 'too_small', `${name} cannot be less than ${facts.limit}.`)]
    case 'maximum':
      return [detail(field, 'too_large', `${name} cannot be more than ${facts.limit}.`)]
    case 'minItems':
      return [
        detail(
          field,
          'invalid',
          facts.limit === 1 ? `${name} cannot be an empty list.` : `${name} needs at least ${facts.limit} entries.`,
        ),
      ]
    case 'maxItems':
      return [tooMany(field, facts.limit as number)]
    default:
      return [detail(field, 'invalid', `${name} ${message}.`)]
  }
}

const formatNames: Record<string, string> = {
  uuid: 'a UUID',
  date: 'a date such as 2026-11-15',
  'date-time': 'an ISO 8601 date-time such as 2026-11-15T09:30:00Z',
  email: 'an e-mail address',
}

function typeNames(types: unknown): string {
  return (Array.isArray(types) ? types : [types])
    .map((type) => (type === 'null' ? 'null' : `${/^[aeiou]/.test(String(type)) ? 'an' : 'a'} ${type}`))
    .join(' or ')
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : quote(value)
}

function tooMany(field: string, most: number): Detail {
  return detail(field, 'too_many', `${field === '' ? 'The body' : `"${field}"`} can have at most ${most} entries.`)
}

function detail(field: string, code: string, message: string): Detail {
  return { field, code, message }
}
