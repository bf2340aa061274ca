import type { Context } from '../../../platform/context.ts'
import { resultOf } from '../../../platform/http/answers/bulk.ts'
import type { ExportPage, TransferableKind } from '../../../platform/transfers/transferable.ts'
import { minorUnits } from '../../currencies/known.ts'
import { type Kind, onceFor } from '../model/kind/kind.ts'
import type { Search } from '../search/search-sql.ts'
import { countDocuments } from '../store/store.ts'
import { importedColumns } from './columns.ts'
import { headOf, textOf } from './export.ts'
import { listPage } from './export-store.ts'
import { importLot, keysOf } from './import.ts'

/** How documents of a kind are imported and exported in the background. */
export const documentTransfers = onceFor(
  (kind): TransferableKind => ({
    resource: kind.plural,
    columns: async () => importedColumns(kind),
    keysOf,
    async writeLot(ctx, lot, lines, { dryRun }) {
      const reported = await importLot(ctx, kind, lot, lines, { dryRun })
      return reported.map(({ line, cells, outcome }) => ({
        line,
        cells,
        status: outcome.status,
        result: resultOf(outcome),
        refusal: outcome.refusal,
      }))
    },
    begin: async (ctx, { search }) => ({ total: await countDocuments(ctx, kind, search), revision: null }),
    head: async (_, { format }) => headOf(kind, format),
    readPage: (ctx, { search, format }, page) => readPage(ctx, kind, search, format, page),
  }),
)

async function readPage(
  ctx: Context,
  kind: Kind,
  search: Search,
  format: Parameters<typeof textOf>[1],
  { after, limit }: Parameters<TransferableKind['readPage']>[2],
): Promise<ExportPage> {
  const rows = await listPage(ctx, kind, search, { after, limit })
  return {
    text: textOf(kind, format, rows, await minorUnits(ctx)),
    rows: rows.length,
    last: rows.length < limit ? null : (rows.at(-1)?.key ?? null),
  }
}
