import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaCompiler, preValidationHookHandler, RouteOptions } from 'fastify'
import { checkerOf, fieldOf, isOpenObject, type ObjectSchema } from '../core/check.ts'
import { type Detail, invalidAll, Refusal } from '../core/refusal.ts'
import { isOptional } from './json-body.ts'
import { nearestTo } from './near-names.ts'
import { queryReader, refuseUnstorable, unknownParameters } from './params.ts'
import { isStrict, namePreference } from './preferences.ts'

/**
 * One schema is the type, the check and the OpenAPI text; this makes it the check. Answers are JSON text made by the database, or small objects: their
 * schemas are documentation, held true by tests. Given to Fastify as it is made, which then does not load its own compilers, 3 MB of memory.
 */
export const compilers = {
  compilersFactory: {
    // Fastify has for the compiler of any library the type of that of its own.
    buildValidator: (() => checkOf) as never,
    buildSerializer: () => () => JSON.stringify,
  },
}

export function watchForUnknown(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    // After the steps of the route itself, which take a body out of the form in which it was read: that is accepted in strict handling too.
    if (!route.url.startsWith('/api/')) return
    const empty = isOptional(route.schema?.body) ? [takeEmptyBody] : []
    route.preValidation = [...empty, ...[route.preValidation ?? []].flat(), nameUnknown(route)] as never
  })
}

const takeEmptyBody: preValidationHookHandler = (request, _reply, next) => {
  request.body ??= {}
  next()
}

const checkOf: FastifySchemaCompiler<ObjectSchema> = ({ schema, httpPart }) => {
  const readQuery = httpPart === 'querystring' ? queryReader(schema) : null
  // Of a query only what is known was read, and a path has only what its route names.
  const check = checkerOf(schema, { trims: httpPart === 'body' })
  return (sent: unknown) => {
    try {
      const value = readQuery ? readQuery(sent as Record<string, string>) : sent
      if (readQuery) refuseUnstorable(value as Record<string, unknown>)
      return { value: check(value) }
    } catch (error) {
      return { error: httpPart === 'body' && sent === null ? bodyMissing() : (error as Error) }
    }
  }
}

/** Unknown parameters and fields are ignored, and the parameters named in a header; with `Prefer: handling=strict` both are refused by name. */
function nameUnknown({ schema = {} }: RouteOptions): preValidationHookHandler {
  const { querystring = {}, body } = schema as { querystring?: ObjectSchema; body?: ObjectSchema }
  const unknownIn = unknownParameters(querystring)
  const known = Object.keys(querystring.properties ?? {})
  return (request, reply, next) => {
    const parameters = unknownIn(request.query as object)
    if (!isStrict(request)) {
      if (parameters.length > 0) nameIgnored(reply, parameters, known)
      next()
      return
    }
    const unknown = [
      ...parameters.map((name, index) => unknownParameter(name, index < most.names ? known : [])),
      ...(body ? unknownFields(body, bodyOf(request), '').map(unknownField) : []),
    ]
    if (unknown.length === 0) namePreference(reply, 'handling=strict')
    next(unknown.length > 0 ? invalidAll(unknown) : undefined)
  }
}

/** More are counted only, and longer ones cut: whoever sends them must not be able to make a header of any length. */
const most = { names: 10, letters: 64 }

function nameIgnored(reply: FastifyReply, names: readonly string[], known: readonly string[]): void {
  const shown = names.slice(0, most.names).map((name) => {
    const nearest = nearestTo(name, known)
    return nearest ? `${inHeader(name)}; did you mean ${nearest}?` : inHeader(name)
  })
  const more = names.length > shown.length ? [`and ${names.length - shown.length} more`] : []
  reply.header('x-ignored-parameters', [...shown, ...more].join(', '))
}

/** Whatever could end the header or be read as two names is percent-encoded. */
function inHeader(name: string): string {
  const cut = name.length > most.letters ? `${name.slice(0, most.letters)}...` : name
  return encodeURIComponent(cut.toWellFormed()).replaceAll('%5B', '[').replaceAll('%5D', ']')
}

function unknownParameter(name: string, known: readonly string[]): Detail {
  const nearest = nearestTo(name, known)
  const hint = nearest ? ` Did you mean "${nearest}"?` : ''
  return { field: name, code: 'unknown_parameter', message: `There is no query parameter "${name}" here.${hint}`, ...(nearest && { allowed: [nearest] }) }
}

/** The rows of a bulk request were taken out of its body, to be checked each on its own. */
function bodyOf({ body, rows }: FastifyRequest): unknown {
  if (!rows || typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? rows : value]))
}

function unknownFields(schema: ObjectSchema, value: unknown, path: string): string[] {
  if (Array.isArray(value)) return schema.items ? value.flatMap((item, index) => unknownFields(schema.items as ObjectSchema, item, `${path}${index}.`)) : []
  if (!isOpenObject(schema, value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = fieldOf(schema, name)
    return known ? unknownFields(known, inner, `${path}${name}.`) : [`${path}${name}`]
  })
}

function unknownField(name: string): Detail {
  return { field: name, code: 'unknown_field', message: `There is no field "${name}" here.` }
}

function bodyMissing(): Refusal {
  return new Refusal('invalid', 'body_required', 'This request needs a JSON object as its body; send one, with Content-Type: application/json.')
}
