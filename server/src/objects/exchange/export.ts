import type { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import { csvLine } from '../../core/csv.ts'
import { requireDefinition } from '../definitions/read.ts'
import type { Extension } from '../kinds/extension.ts'
import { everything, type Search } from '../search/search.ts'
import { columnsOf, type Exported } from './columns.ts'
import { streamFields, streamJson } from './store.ts'

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

type ExportOptions = { format: Format; extensions: readonly Extension[] }

/** Every object of a kind that a search finds, in its order, one line each, from one snapshot. */
export async function exportObjects(ctx: Context, objectKey: string, search: Search, { format, extensions }: ExportOptions): Promise<Readable> {
  const definition = await requireDefinition(ctx, objectKey)
  const found = await everything(ctx, definition, search, extensions)
  if (format === 'ndjson') return streamJson(ctx, found)
  const columns = columnsOf(definition)
  const line = (object: Exported) => csvLine(columns.map(({ write }) => write(object)))
  return streamFields(ctx, definition, found, (objects) => objects.map(line).join(''), csvLine(columns.map(({ name }) => name)))
}
