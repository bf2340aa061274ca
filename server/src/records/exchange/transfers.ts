import { scopeOf } from '../../platform/access/kind-scopes.ts'
import type { Context } from '../../platform/context.ts'
import { conflict, Refusal } from '../../platform/core/refusal.ts'
import type { RowReport, TransferableKind } from '../../platform/transfers/transferable.ts'
import { objectResult } from '../bulk/results.ts'
import { currencyUnits } from '../definitions/currencies.ts'
import { requireDefinition } from '../definitions/read.ts'
import type { Extension } from '../kinds/extension.ts'
import type { Definition } from '../kinds/kind.ts'
import { countFound, readEverything, type Search } from '../search/search.ts'
import { importedOf } from './columns.ts'
import { headOf, linesOf } from './export.ts'
import { importLot, keysOf } from './import.ts'
import { findKey, listFields, listJson } from './store.ts'

/** How objects of every kind are imported and exported in the background. */
export function objectTransfers(extensions: readonly Extension[]): TransferableKind {
  const defined = (ctx: Context, { objectKey }: { objectKey: string | null }) =>
    requireDefinition(ctx, objectKey as string)
  return {
    resource: 'objects',
    columns: async (ctx, target) => importedOf(await defined(ctx, target)),
    keysOf,
    async writeLot(ctx, lot, lines, { objectKey, dryRun, scopes }) {
      const reported = await importLot(ctx, lot, lines, {
        extensions,
        objectKey: objectKey as string,
        dryRun,
        permit: permitOf(scopes),
      })
      return reported.map(({ line, cells, outcome }) => ({
        line,
        cells,
        // A file deletes nothing.
        status: outcome.status as RowReport['status'],
        result: objectResult(outcome),
        refusal: outcome.refusal,
      }))
    },
    async begin(ctx, { objectKey, search }) {
      const definition = await defined(ctx, { objectKey })
      return {
        total: await countFound(ctx, definition, search as Search, extensions, Number.MAX_SAFE_INTEGER - 1),
        revision: definition.revision,
      }
    },
    head: async (ctx, options) => (options.format === 'csv' ? headOf(await sameDefinition(ctx, options)) : ''),
    async readPage(ctx, options, { after, limit }) {
      const { format, search } = options
      const definition = format === 'csv' ? await sameDefinition(ctx, options) : await defined(ctx, options)
      const finding = await readEverything(ctx, definition, search as Search, extensions, { after, limit })
      const ended = (rows: readonly { id: string }[]) =>
        rows.length < limit ? null : findKey(ctx, finding, rows.at(-1)?.id as string)
      if (format === 'ndjson') {
        const rows = await listJson(ctx, finding)
        return { text: rows.map(({ json }) => `${json}\n`).join(''), rows: rows.length, last: await ended(rows) }
      }
      const rows = await listFields(ctx, definition, finding)
      return { text: linesOf(definition, rows, await currencyUnits(ctx)), rows: rows.length, last: await ended(rows) }
    },
  }

  /** The columns of a file must be the same from its first line to its last. */
  async function sameDefinition(
    ctx: Context,
    { objectKey, revision }: { objectKey: string | null; revision: number | null },
  ): Promise<Definition> {
    const definition = await defined(ctx, { objectKey })
    if (definition.revision !== revision)
      throw conflict(
        'definition_changed',
        `The definition of the kind "${objectKey}" was changed during the export. Make the export again.`,
      )
    return definition
  }
}

/** Rows may refer to objects of other kinds, each with a scope of its own. */
function permitOf(scopes: ReadonlySet<string>): (objectKey: string) => void {
  return (objectKey) => {
    const scope = scopeOf(objectKey)
    if (scopes.has(scope)) return
    const details = [
      { field: 'scope', code: 'insufficient_scope', message: `The scope ${scope} is needed.`, allowed: [scope] },
    ]
    throw new Refusal(
      'forbidden',
      'insufficient_scope',
      `The access token that sent the file lacks the scope "${scope}".`,
      { details },
    )
  }
}
