import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { kindScopes, scopeOf } from '../platform/access/kind-scopes.ts'
import { invalid, notFound, quote } from '../platform/core/refusal.ts'
import { parseReference, readId } from '../platform/core/values/ids.ts'
import { type Answer, revised } from '../platform/http/answers/answers.ts'
import { requireScope } from '../platform/http/edge/authenticate.ts'
import { type ObjectReference, textOfReference } from './model/object.ts'
import type { WrittenObject } from './single/actions.ts'
import type { ObjectAnswer } from './single/store.ts'

export const config = { scope: kindScopes }
export const tags = ['Objects']
export const params = Type.Object({
  objectID: Type.String({ description: 'The id of the object.', examples: ['01932b5e-6f00-7c3a-9d41-2f6a8b0c4e15'] }),
})
export const scopeNote = 'The token needs the scope of the object’s kind.'

/** `errors` names what was sent and ignored. */
export function answerOf({ revision, json, ignored }: WrittenObject): Answer {
  return revised({ revision, json: `${json.slice(0, -1)},"errors":${JSON.stringify(ignored)}}` })
}

/** By its id, or by its fullId, such as `CUST-1`. */
export function readReference(text: string): ObjectReference {
  const reference = parseReference(text, 'any')
  return reference?.by === 'number'
    ? { by: 'fullId', fullId: reference.full, number: reference.number }
    : readObjectId(text)
}

export function readObjectId(text: string): { by: 'id'; id: string } {
  const id = readId(text)
  if (id === null) throw invalid('objectID', 'bad_uuid', `${quote(text)} is not the id of an object, which is a UUID.`)
  return { by: 'id', id }
}

export function scopeCheck(request: Pick<FastifyRequest, 'token'>): (objectKey: string) => void {
  return (objectKey) => requireScope(request, scopeOf(objectKey))
}

export type ObjectRequest = Pick<FastifyRequest, 'ctx' | 'token'>

/** What was found, if it was and the caller may see its kind. */
export function requireSeen(
  request: ObjectRequest,
  reference: ObjectReference,
  found: ObjectAnswer | undefined,
): ObjectAnswer {
  if (!found) throw notFound('object', textOfReference(reference))
  requireScope(request, scopeOf(found.object_key))
  return found
}
