import Type from 'typebox'
import { named } from '../../../platform/core/schema/names.ts'
import { importDryRun } from '../../../platform/core/schema/rows.ts'
import type { App } from '../../../platform/http/edge/app.ts'
import { answers } from '../../../platform/http/openapi/openapi.ts'
import { queueExport, queueImport } from '../../../platform/transfers/actions.ts'
import { asTheyAre } from '../../../platform/transfers/model.ts'
import type { ReceivedTransfer } from '../../../platform/transfers/receive.ts'
import {
  accepted,
  acceptFiles,
  fileBody,
  receiving,
  type TransferLimits,
} from '../../../platform/transfers/requests.ts'
import { exampleFile } from '../exchange/columns.ts'
import { type Format, formats } from '../exchange/export.ts'
import { documentTransfers } from '../exchange/transfers.ts'
import { pascal, withArticle } from '../model/fields/shape.ts'
import type { Kind } from '../model/kind/kind.ts'
import type { Search } from '../search/search-sql.ts'
import { scopesOf } from '../store/access.ts'
import { pathsOf, requireKnownCurrencies } from './paths.ts'

const Transfer = Type.Object({ transfer: Type.Ref('Transfer') })

/** An import in the background. What is answered is a transfer, which `transfers/` shows and works off. */
export function startImportRoute(app: App, kind: Kind, limits: TransferLimits): void {
  const { plural } = kind
  const { all, config, tags } = pathsOf(kind)
  acceptFiles(app)

  app.post(
    `${all}/imports`,
    {
      config: { ...config, takes: 'text/csv' },
      bodyLimit: limits.fileBytes,
      preValidation: receiving(documentTransfers(kind), limits, ({ ctx }) => ({
        objectKey: null,
        scope: scopesOf(ctx, kind),
      })),
      schema: {
        tags,
        operationId: `start${pascal(plural)}Import`,
        summary: `Import ${plural} in the background`,
        description: `Takes a CSV file as the import does, of any number of rows, and answers as soon as it has arrived. Its rows are worked off in lots, in the order of the file: \`GET /transfers/{transferID}\` says how far it is. A row that fails leaves the others alone; \`/result\` and \`/failures\` of the transfer say what came of each. After a crash of the server it goes on with the first row that was not written.`,
        querystring: Type.Object({
          dry_run: importDryRun,
        }),
        body: fileBody(exampleFile(kind)),
        response: answers({ 202: Transfer }),
      },
    },
    async ({ ctx, query, received }) => {
      const { dry_run: dryRun = false } = query as { dry_run?: boolean }
      return accepted(await queueImport(ctx, received as ReceivedTransfer, { dryRun }), app.prefix, asTheyAre)
    },
  )
}

export function startExportRoute(app: App, kind: Kind, { keptDays }: TransferLimits): void {
  const { noun, plural, schemas } = kind
  const { all, config, tags } = pathsOf(kind)
  const { offset: _, limit: __, after: ___, ...filters } = schemas.Search.properties

  app.post(
    `${all}/exports`,
    {
      config: { ...config, access: 'read' },
      schema: {
        tags,
        operationId: `start${pascal(plural)}Export`,
        summary: `Export ${plural} in the background`,
        description: `Makes a file of every ${noun} that matches, in order, with the parameters of the export, however many there are. \`GET /transfers/{transferID}\` says how far it is, and \`/result\` of the transfer is the file. It is read in lots, so it is no single moment: ${withArticle(noun)} that changes meanwhile is as it was when its lot was read.`,
        querystring: Type.Object({
          format: Type.Optional(
            named(
              'FileFormat',
              Type.Enum(formats, { default: 'csv', description: 'The form of the file.', examples: ['csv'] }),
            ),
          ),
          ...filters,
        }),
        response: answers({ 202: Transfer }),
      },
    },
    async ({ ctx, query, token }) => {
      const { format = 'csv', ...search } = query as Search & { format?: Format }
      await requireKnownCurrencies(ctx, kind, search)
      const asked = { objectKey: null, search, format, scope: scopesOf(ctx, kind), scopes: [...token.scopes], keptDays }
      return accepted(await queueExport(ctx, documentTransfers(kind), asked), app.prefix, asTheyAre)
    },
  )
}
