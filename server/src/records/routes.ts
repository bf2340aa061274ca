import { notFound } from '../platform/core/refusal.ts'
import { snakeCase } from '../platform/core/values/text.ts'
import { historyRoute } from '../platform/events/history/history-route.ts'
import type { App } from '../platform/http/edge/app.ts'
import { deleteRoutes } from './delete-routes.ts'
import type { Extension } from './kinds/extension.ts'
import { config, params, readObjectId, requireSeen, scopeNote, tags } from './paths.ts'
import { readRoutes } from './read-routes.ts'
import { kindSchemas, PlatformObject } from './schemas.ts'
import { searchRoutes } from './search-routes.ts'
import { findObject } from './single/store.ts'
import { updateRoute } from './update-routes.ts'
import { upsertRoute } from './upsert-routes.ts'

export const objects = (extensions: readonly Extension[]) => async (app: App) => {
  app.addSchema(PlatformObject)
  for (const schema of kindSchemas) app.addSchema(schema)
  upsertRoute(app, extensions)
  searchRoutes(app, extensions)
  readRoutes(app)
  updateRoute(app, extensions)
  deleteRoutes(app, extensions)

  historyRoute(app, {
    ...{
      path: '/objects/:objectID',
      config,
      tags,
      params,
      name: 'Object',
      one: 'an object',
      note: `Of a deleted object too. ${scopeNote}`,
      nextName: 'nextAfter',
    },
    async recordIn(request) {
      const reference = readObjectId((request.params as { objectID: string }).objectID)
      const { id, object_key } = requireSeen(
        request,
        reference,
        await findObject(request.ctx, reference, { deleted: true }),
      )
      return { type: snakeCase(object_key), id, isThere: async () => true, unknown: () => notFound('object', id) }
    },
  })
}
