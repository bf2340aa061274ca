import { expectedIn } from '../platform/http/answers/conditional.ts'
import type { App } from '../platform/http/edge/app.ts'
import { answers } from '../platform/http/openapi/openapi.ts'
import type { Extension } from './kinds/extension.ts'
import type { Fields } from './model/object.ts'
import { fieldsSent } from './model/sent-fields.ts'
import { answerOf, config, params, readReference, scopeCheck, scopeNote, tags } from './paths.ts'
import { AnyObject, ObjectEdit } from './schemas.ts'
import { updateObject } from './single/actions.ts'

export function updateRoute(app: App, extensions: readonly Extension[]): void {
  app.put(
    '/objects/:objectID',
    {
      config,
      schema: {
        tags,
        operationId: 'updateObject',
        summary: 'Update an object',
        description: `Only the fields that are sent apply; null clears. The body is \`{ "json": { … } }\`, or the object itself as it was read. \`If-Match\` guards against overwriting another’s change. ${scopeNote}`,
        params,
        body: ObjectEdit,
        response: answers({ 200: AnyObject }),
      },
    },
    async (request) =>
      answerOf(
        await updateObject(
          request.ctx,
          readReference(request.params.objectID),
          fieldsSent(request.body as Fields),
          expectedIn(request),
          {
            extensions,
            permit: scopeCheck(request),
            reach: scopeCheck(request),
          },
        ),
      ),
  )
}
