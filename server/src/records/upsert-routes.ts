import { scopeOf } from '../platform/access/kind-scopes.ts'
import { expectedIn } from '../platform/http/answers/conditional.ts'
import type { App } from '../platform/http/edge/app.ts'
import { requireScope } from '../platform/http/edge/authenticate.ts'
import { answers } from '../platform/http/openapi/openapi.ts'
import type { Extension } from './kinds/extension.ts'
import type { Fields } from './model/object.ts'
import { addBoard } from './model/sent-fields.ts'
import { answerOf, config, scopeCheck, scopeNote, tags } from './paths.ts'
import { AnyObject, NewObject } from './schemas.ts'
import { upsertObject } from './single/actions.ts'

export function upsertRoute(app: App, extensions: readonly Extension[]): void {
  app.patch(
    '/objects',
    {
      config,
      schema: {
        tags,
        operationId: 'upsertObject',
        summary: 'Create an object, or change the one with the same externalId',
        description: `Everything in \`json\` comes back at the top level of the object. A \`json.externalId\` that an object of this kind has already changes that object instead. A reference is an id, \`ext:\` and an external id, or a \`fullId\`; it is kept as the id. Its key may end in \`Id\`, \`ID\` or \`id\`. Keys that the server sets are ignored and named in \`errors\`. ${scopeNote}`,
        body: NewObject,
        response: answers({ 200: AnyObject }),
      },
    },
    async (request) => {
      const { boardId, objectKey, json } = request.body as { boardId?: string | null; objectKey: string; json: Fields }
      requireScope(request, scopeOf(objectKey))
      return answerOf(
        await upsertObject(request.ctx, objectKey, addBoard(json, boardId), expectedIn(request), {
          extensions,
          reach: scopeCheck(request),
        }),
      )
    },
  )
}
