import type { Context } from '../../platform/context.ts'
import { nearestTo } from '../../platform/core/near-names.ts'
import { type Detail, quote } from '../../platform/core/refusal.ts'
import type { Write } from '../../records/kinds/extension.ts'
import { isPriced } from './model.ts'
import { listItemTypes } from './store.ts'

/** The types that these writes bring into a list of priced items and that are not there, by the ids of the objects. A type that an object had before stays. */
export async function findUnknownTypes(
  ctx: Context,
  field: string,
  writes: readonly Write[],
): Promise<ReadonlyMap<string, readonly Detail[]>> {
  const brought = writes.flatMap(({ id, before, after }) => {
    const had = new Set(typesIn(before?.json[field]).map(({ type }) => type.toLowerCase()))
    return typesIn(after?.json[field]).flatMap(({ type, index }) =>
      had.has(type.toLowerCase()) ? [] : [{ id, type, index }],
    )
  })
  if (brought.length === 0) return new Map()
  const types = await listItemTypes(ctx)
  const known = new Set(types.flatMap(({ id, name }) => [id, name.toLowerCase()]))
  const names = types.map(({ name }) => name)
  const unknown = brought.filter(({ type }) => !known.has(type.toLowerCase()))
  return new Map(
    [...Map.groupBy(unknown, ({ id }) => id)].map(([id, list]) => [
      id,
      list.map(({ type, index }) => unknownType(`${field}.${index}.type`, type, names)),
    ]),
  )
}

function typesIn(list: unknown): { type: string; index: number }[] {
  return Array.isArray(list)
    ? list.flatMap((item: unknown, index) => (isPriced(item) ? [{ type: item.type, index }] : []))
    : []
}

/** So many names are said at most. */
const most = 50

function unknownType(field: string, sent: string, names: readonly string[]): Detail {
  const near = nearestTo(sent, names)
  const hint = near ? ` Did you mean ${quote(near)}?` : ''
  const message = `"${field}": there is no bill item type ${quote(sent)}.${hint} Send the name or the id of one that is there, or make it first: POST /api/v1/bill_item_types.`
  return { field, code: 'unknown_bill_item_type', message, ...(names.length > 0 && { allowed: names.slice(0, most) }) }
}
