import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { kindScopes, scopeOf } from '../../platform/access/kind-scopes.ts'
import { named } from '../../platform/core/schema/names.ts'
import type { App } from '../../platform/http/edge/app.ts'
import { requireScope } from '../../platform/http/edge/authenticate.ts'
import { answers } from '../../platform/http/openapi/openapi.ts'
import { queueExport, queueImport } from '../../platform/transfers/actions.ts'
import { inCamelCase } from '../../platform/transfers/model.ts'
import type { ReceivedTransfer } from '../../platform/transfers/receive.ts'
import { accepted, acceptFiles, fileBody, receiving, type TransferLimits } from '../../platform/transfers/requests.ts'
import type { Extension } from '../kinds/extension.ts'
import { ListQuery, readListQuery } from '../search/schemas.ts'
import { formats } from './export.ts'
import { objectTransfers } from './transfers.ts'

const Transfer = Type.Object({ transfer: Type.Ref('TransferV2') })

const Import = Type.Object({
  objectKey: ListQuery.properties.objectKey,
  dryRun: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'With true nothing is written, and the result says what would happen.',
      examples: [true],
    }),
  ),
})

/** An import in the background. What is answered is a transfer, which `transfers/` shows and works off. */
export const startImportOfObjects = (limits: TransferLimits, extensions: readonly Extension[]) => async (app: App) => {
  acceptFiles(app)

  app.post(
    '/objects/imports',
    {
      config: { scope: kindScopes, takes: 'text/csv' },
      bodyLimit: limits.fileBytes,
      preValidation: receiving(objectTransfers(extensions), limits, kindIn),
      schema: {
        tags: ['Objects'],
        operationId: 'startObjectsImport',
        summary: 'Import objects of a kind in the background',
        description:
          'Takes a CSV file as the import does, of any number of rows, and answers as soon as it has arrived. Its rows are worked off in lots, in the order of the file: `GET /transfers/{transferID}` says how far it is. A row that fails does not affect the others; `/result` and `/failures` of the transfer say what came of each. After a crash of the server it goes on with the first row that was not written. The token needs the scope of the kind.',
        querystring: Import,
        body: fileBody('externalId,name,city,billingAddress.city\nERP-1001,Acme Foods,Oakland,Reno\n'),
        response: answers({ 202: Transfer }),
      },
    },
    async ({ ctx, query, received }) => {
      const { dryRun = false } = query as Static<typeof Import>
      return accepted(await queueImport(ctx, received as ReceivedTransfer, { dryRun }), app.prefix, inCamelCase)
    },
  )
}

/** The parameters are not checked yet. */
function kindIn(request: FastifyRequest): { objectKey: string; scope: string } | null {
  const { objectKey } = request.query as { objectKey?: unknown }
  if (typeof objectKey !== 'string' || objectKey === '') return null
  const scope = scopeOf(objectKey)
  requireScope(request, scope)
  return { objectKey, scope }
}

const { offset: _, limit: __, after: ___, paths: ____, deleted: _____, ...filters } = ListQuery.properties
const Export = Type.Object({
  ...filters,
  format: Type.Optional(
    named(
      'FileFormat',
      Type.Enum(formats, { default: 'csv', description: 'The form of the file.', examples: ['csv'] }),
    ),
  ),
})

export const startExportOfObjects =
  ({ keptDays }: TransferLimits, extensions: readonly Extension[]) =>
  async (app: App) => {
    app.post(
      '/objects/exports',
      {
        config: { scope: kindScopes, access: 'read' },
        schema: {
          tags: ['Objects'],
          operationId: 'startObjectsExport',
          summary: 'Export objects of a kind in the background',
          description:
            'Makes a file of every object that a search finds, in its order, with the parameters of the export, however many there are. `GET /transfers/{transferID}` says how far it is, and `/result` of the transfer is the file. It is read in lots, so it is no single moment: an object that changes meanwhile is as it was when its lot was read. The token needs the scope of the kind.',
          querystring: Export,
          response: answers({ 202: Transfer }),
        },
      },
      async (request) => {
        const { format = 'csv', ...query } = request.query as Static<typeof Export>
        const { objectKey } = query
        const scope = scopeOf(objectKey)
        requireScope(request, scope)
        const search = readListQuery(query) as Record<string, unknown>
        const asked = { objectKey, search, format, scope, scopes: [...request.token.scopes], keptDays }
        return accepted(await queueExport(request.ctx, objectTransfers(extensions), asked), app.prefix, inCamelCase)
      },
    )
  }
