import Type from 'typebox'
import { noContent } from '../platform/http/answers/answers.ts'
import { expectedIn } from '../platform/http/answers/conditional.ts'
import type { App } from '../platform/http/edge/app.ts'
import { emptyBody } from '../platform/http/input/json-body.ts'
import { answers } from '../platform/http/openapi/openapi.ts'
import type { Extension } from './kinds/extension.ts'
import { answerOf, config, params, readObjectId, readReference, scopeCheck, scopeNote, tags } from './paths.ts'
import { AnyObject } from './schemas.ts'
import { removeObject, restoreObject } from './single/actions.ts'

/** Deleting objects, and bringing them back. */
export function deleteRoutes(app: App, extensions: readonly Extension[]): void {
  app.delete(
    '/objects/:objectID',
    {
      config,
      schema: {
        tags,
        operationId: 'deleteObject',
        summary: 'Delete an object',
        description: `Deletes the object; it can be restored. It is refused with 409 while others refer to it, saying which. ${scopeNote}`,
        params,
        response: answers({ 204: Type.Null() }),
      },
    },
    async (request) => {
      await removeObject(request.ctx, readReference(request.params.objectID), expectedIn(request), {
        extensions,
        permit: scopeCheck(request),
      })
      return noContent
    },
  )

  app.post(
    '/objects/:objectID/restore',
    {
      config,
      schema: {
        tags,
        operationId: 'restoreObject',
        summary: 'Restore a deleted object',
        description: `Brings the object back as it was. It is refused with 409 when its externalId or a unique value is taken by now, or something it refers to is gone. ${scopeNote}`,
        params,
        body: emptyBody,
        response: answers({ 200: AnyObject }),
      },
    },
    async (request) =>
      answerOf(
        await restoreObject(request.ctx, readObjectId(request.params.objectID).id, expectedIn(request), {
          permit: scopeCheck(request),
          extensions,
        }),
      ),
  )
}
