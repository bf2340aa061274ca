import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { invalid, type Refusal } from '../../core/refusal.ts'
import { EmptyBody } from '../../core/schema/schema.ts'
import { refuseInexact } from '../../core/values/json-text.ts'
import { requireStorable } from '../../core/values/storable.ts'

/** Bodies are JSON, and only text that PostgreSQL can keep unchanged gets in: anything else is refused, never changed. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // Clients name a type for a body that is empty, and not always ours: there is nothing in it to be of any type.
  app.addHook('onRequest', ({ headers }, _reply, next) => {
    if (headers['content-length'] === '0') delete headers['content-type']
    next()
  })
  app.addContentTypeParser(
    /^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i,
    { parseAs: 'buffer' },
    (_request, body, done) => {
      try {
        done(null, parseJson(body as Buffer))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

/** For actions that need no words: nothing sent is the same as `{}`. */
export function optional<T extends TSchema>(body: T): T {
  return { ...body, [optionalBody]: true }
}

export function isOptional(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, optionalBody)
}

/** A keyword that the OpenAPI document has as `required: false`. */
export const optionalBody = 'x-optional-body'

/** Of actions that take no words at all. */
export const emptyBody = optional(EmptyBody)

export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.')
  let parsed: unknown
  const text = bytes.toString()
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw malformed(`The body is not valid JSON: ${(error as Error).message}.`)
  }
  refuseInexact(text, requireStorable(parsed))
  return parsed
}

function malformed(message: string): Refusal {
  return invalid('', 'malformed_json', message)
}
