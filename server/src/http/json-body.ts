import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { invalid, type Refusal } from '../core/refusal.ts'
import { refuseBent } from './json-text.ts'

const deepest = 64

/** Bodies are JSON, and only text that PostgreSQL can keep unchanged gets in: anything else is refused, never bent. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i, { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** For actions that need no words: nothing sent is the same as `{}`. */
export async function bodyIsOptional(request: { body: unknown }): Promise<void> {
  request.body ??= {}
}

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
  refuseBent(text, refuseUnstorable(parsed, '', 0))
  return parsed
}

/** `__proto__` as a key, NUL characters and halves of surrogate pairs cannot make a faithful round trip. Returns how many keys there are. */
function refuseUnstorable(value: unknown, path: string, depth: number): number {
  if (typeof value === 'string') {
    const problem = unstorable(value)
    if (problem) throw invalid(path, 'bad_text', `${path ? `"${path}"` : 'The body'} contains ${problem}, which cannot be stored.`)
  }
  if (typeof value !== 'object' || value === null) return 0
  if (depth >= deepest) throw invalid(path.split('.')[0] ?? '', 'too_deep', `The body is nested more than ${deepest} levels deep.`)
  let count = 0
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) count += refuseUnstorable(item, path ? `${path}.${index}` : String(index), depth + 1)
    return count
  }
  for (const key of Object.keys(value)) {
    const inner = path ? `${path}.${key}` : key
    if (key === '__proto__') throw invalid(inner, 'bad_key', 'A field cannot be called "__proto__".')
    const problem = unstorable(key)
    if (problem) throw invalid(path, 'bad_key', `A field name contains ${problem}, which cannot be stored.`)
    count += 1 + refuseUnstorable((value as Record<string, unknown>)[key], inner, depth + 1)
  }
  return count
}

export function unstorable(text: string): string | null {
  if (text.includes('\0')) return 'a NUL character'
  return text.isWellFormed() ? null : 'half of a surrogate pair'
}

function malformed(message: string): Refusal {
  return invalid('', 'malformed_json', message)
}
