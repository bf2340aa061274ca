import { deletedToo, historyRoute } from '../../../platform/events/history/history-route.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import type { TransferLimits } from '../../../platform/transfers/requests.ts'
import { pascal, withArticle } from '../model/fields/shape.ts'
import type { Kind } from '../model/kind/kind.ts'
import { nobody, type OriginHooks } from '../writing/origins.ts'
import { bulkRoute } from './bulk-routes.ts'
import { exportRoute } from './export-routes.ts'
import { importRoute } from './import-routes.ts'
import { lineRoutes } from './line-routes.ts'
import { type DocumentMailer, moveRoutes } from './move-routes.ts'
import { pathsOf, recordIn } from './paths.ts'
import { recordRoutes } from './record-routes.ts'
import { repriceRoute } from './reprice-routes.ts'
import { totalsRoute } from './totals-routes.ts'
import { startExportRoute, startImportRoute } from './transfer-routes.ts'
import { voidingRoutes } from './voiding-routes.ts'

/** `following` says what follows documents, by their nouns. */
export type Limits = {
  importLimit: number
  importRows: number
  exportLimit: number
  transfers: TransferLimits
  sending: DocumentMailer
  following?: Readonly<Record<string, OriginHooks>>
}

/** All routes of a kind of document. Bodies of an import may be larger than others: `importLimit` bytes. */
export function documentRoutes(
  kind: Kind,
  { importLimit, importRows, exportLimit, transfers, sending, following = {} }: Limits,
): ((app: App) => Promise<void>)[] {
  const own = following[kind.noun] ?? nobody
  return [
    async (app) => {
      app.addSchema(kind.schemas.Document)
      app.addSchema(kind.schemas.Line)
      recordRoutes(app, kind, own)
      totalsRoute(app, kind)
      moveRoutes(app, kind, sending)
      repriceRoute(app, kind)
      voidingRoutes(app, kind, own)
      const { one, config, tags, params } = pathsOf(kind)
      const recorded = { name: pascal(kind.noun), one: withArticle(kind.noun), note: deletedToo }
      historyRoute(app, {
        path: one,
        config,
        tags,
        params,
        ...recorded,
        recordIn: (request) => recordIn(request.ctx, kind, request.params),
      })
    },
    async (app) => lineRoutes(app, kind),
    async (app) => bulkRoute(app, kind),
    async (app) => exportRoute(app, kind, exportLimit),
    async (app) => importRoute(app, kind, { bodyLimit: importLimit, most: importRows }),
    async (app) => startImportRoute(app, kind, transfers),
    async (app) => startExportRoute(app, kind, transfers),
  ]
}
