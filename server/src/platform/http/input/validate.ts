import type {
  FastifyInstance,
  FastifyRequest,
  FastifySchemaCompiler,
  preValidationHookHandler,
  RouteOptions,
} from 'fastify'
import { nearestTo } from '../../core/near-names.ts'
import { type Detail, invalid, invalidAll, Refusal } from '../../core/refusal.ts'
import { checkerOf, counterOf, type ObjectSchema } from '../../core/schema/check.ts'
import { type KindOf, type Names, namesReader, sentTwice } from './body-names.ts'
import { ignoredNames, most, type UnknownName } from './ignored-names.ts'
import { isOptional } from './json-body.ts'
import { otherParameters } from './other-names.ts'
import { queryReader, refuseUnstorable, unknownParameters } from './params.ts'
import { isStrict, namePreference } from './preferences.ts'
import { type References, referencesInQuery, resolve } from './references.ts'

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

/** Reads the names in queries and bodies before they are checked: other names of what is known, what is not known, and records that are named by other than their id. */
export function readNames(app: FastifyInstance, references: References): void {
  app.addHook('onRoute', (route) => {
    // After the steps of the route itself, which take a body out of the form in which it was read: that is accepted in strict handling too.
    if (!route.url.startsWith('/api/')) return
    const empty = isOptional(route.schema?.body) ? [takeEmptyBody] : []
    route.preValidation = [...empty, ...[route.preValidation ?? []].flat(), nameStep(route, references)] as never
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

/** Unknown parameters and fields are ignored and named in headers; with `Prefer: handling=strict` both are refused by name. */
function nameStep({ schema = {}, url }: RouteOptions, references: References): preValidationHookHandler {
  const { querystring = {}, body } = schema as { querystring?: ObjectSchema; body?: ObjectSchema }
  const kindOf: KindOf = (field) => references.kindOf(field, url)
  const known = Object.keys(querystring.properties ?? {})
  const rename = renamer(known)
  const unknownIn = unknownParameters(querystring)
  const inQuery = referencesInQuery(querystring, kindOf)
  const count = body && counterOf(body)
  let reader: ReturnType<typeof namesReader> | undefined
  return (request, reply, next) => {
    try {
      const query = request.query as Record<string, string | string[]>
      rename?.(query)
      const parameters = unknownIn(query)
      if (isRead(request)) refuseAsOf(parameters)
      // Made when it is first used, as the check is.
      if (body && reader === undefined) reader = namesReader(body, kindOf, mostRefused)
      const fields = (body && reader?.(bodyOf(request))) || noNames
      // Before the records are looked for that a list refers to.
      count?.(request.body)
      const isRefused = isStrict(request)
      if (isRefused) refuseUnknown(parameters, known, fields)
      if (isRefused) namePreference(reply, 'handling=strict')
      if (parameters.length > 0)
        reply.header(
          'x-ignored-parameters',
          ignoredNames(
            parameters.slice(0, most.names).map((name) => ({ name, known })),
            parameters.length,
          ),
        )
      if (fields.count > 0) reply.header('x-ignored-fields', ignoredNames(fields.unknown, fields.count))
      const places = [...(inQuery?.(query) ?? []), ...fields.places]
      if (places.length === 0) return next()
      resolve(request.ctx, places, references).then(() => next(), next)
    } catch (error) {
      next(error as Error)
    }
  }
}

const noNames: Names = { unknown: [], count: 0, places: [] }

/** Of more unknown fields, the first are refused by name. */
const mostRefused = 100

function refuseUnknown(parameters: readonly string[], known: readonly string[], { unknown }: Names): void {
  const details = [
    ...parameters.map((name, index) => unknownParameter(name, index < most.names ? known : [])),
    ...unknown.map((field, index) => unknownField(field, index < most.names)),
  ]
  if (details.length > 0) throw invalidAll(details)
}

/** Puts the names of the reference in the place of others, in whatever form a list comes. */
function renamer(known: readonly string[]): ((query: Record<string, string | string[]>) => void) | null {
  const others = otherParameters(known)
  if (others.size === 0) return null
  return (query) => {
    const sent = Object.keys(query).map((whole) => ({ whole, plain: whole.split('[', 1)[0] as string }))
    for (const { whole, plain } of sent) {
      const name = others.get(plain)
      if (name === undefined) continue
      if (sent.some((other) => other.plain !== plain && (others.get(other.plain) ?? other.plain) === name))
        throw sentTwice(plain, name)
      query[name + whole.slice(plain.length)] = query[whole] as string
      delete query[whole]
    }
  }
}

function unknownParameter(name: string, known: readonly string[]): Detail {
  const nearest = nearestTo(name, known)
  const hint = nearest ? ` Did you mean "${nearest}"?` : ''
  return {
    field: name,
    code: 'unknown_parameter',
    message: `There is no query parameter "${name}" here.${hint}`,
    ...(nearest && { allowed: [nearest] }),
  }
}

/** The rows of a bulk request were taken out of its body, to be checked each on its own. */
function bodyOf({ body, rows }: FastifyRequest): unknown {
  if (!rows || typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? rows : value]))
}

/** Whoever asks for the past and is answered with today would not notice. */
function refuseAsOf(parameters: readonly string[]): void {
  const name = parameters.find((name) => /^as_?of(\[|$)/i.test(name))
  if (name === undefined) return
  throw invalid(
    name,
    'as_of_not_offered',
    `This cannot be asked for as of a past moment. Leave out "${name}" to have it as it is now.`,
  )
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

function unknownField({ name, within = '', known }: UnknownName, isCompared: boolean): Detail {
  const field = `${within}${name}`.replace(/\[(\d+)\]/g, '.$1')
  const nearest = isCompared ? nearestTo(name, known) : undefined
  const hint = nearest ? ` Did you mean "${nearest}"?` : ''
  return {
    field,
    code: 'unknown_field',
    message: `There is no field "${field}" here.${hint}`,
    ...(nearest && { allowed: [nearest] }),
  }
}

function bodyMissing(): Refusal {
  return new Refusal(
    'invalid',
    'body_required',
    'This request needs a JSON object as its body; send one, with Content-Type: application/json.',
  )
}
