import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkerOf, fieldOf, isOpenObject, type ObjectSchema } from '../core/check.ts'
import { type Detail, invalidAll, Refusal } from '../core/refusal.ts'
import { queryReader, refuseUnstorable } from './params.ts'

/** One schema is the type, the check and the OpenAPI text; this makes it the check. */
export function checkWithSchemas(app: FastifyInstance): void {
  // Set on each route: a plugin that adds shared schemas would fall back to Fastify's own compilers.
  app.addHook('onRoute', (route) => {
    route.validatorCompiler = ({ schema, httpPart }) => checkFor(schema as ObjectSchema, httpPart)
    // Answers are JSON text made by the database, or small objects: their schemas are documentation, held true by tests.
    route.serializerCompiler = () => JSON.stringify
  })
  app.addHook('preValidation', (request, reply, next) => {
    if (!isStrict(request)) return next()
    const refusal = refuseUnknown(request)
    if (!refusal) reply.header('preference-applied', 'handling=strict')
    next(refusal)
  })
}

export function isStrict({ headers: { prefer } }: Pick<FastifyRequest, 'headers'>): boolean {
  return prefer !== undefined && /(?:^|[,;\s])handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i.test(String(prefer))
}

function checkFor(schema: ObjectSchema, httpPart: string | undefined) {
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

/** `Prefer: handling=strict`: what would be ignored is refused instead, by name. */
function refuseUnknown(request: FastifyRequest): Refusal | undefined {
  const { querystring, body } = (request.routeOptions.schema ?? {}) as { querystring?: ObjectSchema; body?: ObjectSchema }
  const unknown = [
    ...Object.keys(request.query as object)
      .filter((name) => !fieldOf(querystring, name.replace(/\[\]$/, '')))
      .map((name) => detail(name, 'unknown_parameter', `There is no query parameter "${name}" here.`)),
    ...(body ? unknownFields(body, request.body, '') : []).map((name) => detail(name, 'unknown_field', `There is no field "${name}" here.`)),
  ]
  return unknown.length > 0 ? invalidAll(unknown) : undefined
}

function unknownFields(schema: ObjectSchema, value: unknown, path: string): string[] {
  if (Array.isArray(value)) return schema.items ? value.flatMap((item, index) => unknownFields(schema.items as ObjectSchema, item, `${path}${index}.`)) : []
  if (!isOpenObject(schema, value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = fieldOf(schema, name)
    return known ? unknownFields(known, inner, `${path}${name}.`) : [`${path}${name}`]
  })
}

function bodyMissing(): Refusal {
  return new Refusal('invalid', 'body_required', 'This request needs a JSON object as its body; send one, with Content-Type: application/json.')
}

function detail(field: string, code: string, message: string): Detail {
  return { field, code, message }
}
