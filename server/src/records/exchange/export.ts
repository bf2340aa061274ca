import type { Readable } from 'node:stream'
import type { Context } from '../../platform/context.ts'
import { csvLine } from '../../platform/core/tables/csv.ts'
import type { MinorUnits } from '../../platform/core/tables/decimals.ts'
import { currencyUnits } from '../definitions/currencies.ts'
import { requireDefinition } from '../definitions/read.ts'
import type { Extension } from '../kinds/extension.ts'
import type { Definition } from '../kinds/kind.ts'
import { countFound, readEverything, type Search } from '../search/search.ts'
import { columnsOf, type ExportedObject } from './columns.ts'
import { streamFields, streamJson } from './store.ts'

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

type ExportOptions = { format: Format; extensions: readonly Extension[] }

/** Every object of a kind that a search finds, in its order, one line each, from one snapshot. */
export async function exportObjects(
  ctx: Context,
  objectKey: string,
  search: Search,
  { format, extensions }: ExportOptions,
): Promise<Readable> {
  const definition = await requireDefinition(ctx, objectKey)
  const found = await readEverything(ctx, definition, search, extensions)
  if (format === 'ndjson') return streamJson(ctx, found)
  const units = await currencyUnits(ctx)
  return streamFields(ctx, definition, found, (objects) => linesOf(definition, objects, units), headOf(definition))
}

export async function findsMoreThan(
  ctx: Context,
  objectKey: string,
  search: Search,
  { most, extensions }: { most: number; extensions: readonly Extension[] },
): Promise<boolean> {
  return (await countFound(ctx, await requireDefinition(ctx, objectKey), search, extensions, most)) > most
}

/** The header of the CSV. */
export function headOf(definition: Definition): string {
  return csvLine(columnsOf(definition).map(({ name }) => name))
}

export function linesOf(definition: Definition, objects: readonly ExportedObject[], units: MinorUnits): string {
  const columns = columnsOf(definition)
  return objects.map((object) => csvLine(columns.map(({ write }) => write(object, units)))).join('')
}
