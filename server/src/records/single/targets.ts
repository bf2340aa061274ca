import type { Context } from '../../platform/context.ts'
import { keyOf, type Name } from '../model/name.ts'
import { listTargets } from './store.ts'

/** The ids of the live objects that these names mean, by `keyOf`; in one statement, however many there are. */
export async function findTargets(ctx: Context, names: readonly Name[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await listTargets(
    ctx,
    names.flatMap((name) => ('externalId' in name ? [name] : [])),
    names.flatMap((name) => ('fullId' in name ? [name] : [])),
  )
  return new Map(
    rows.map(({ objectKey, externalId, fullId, number, numbered, id }) => [
      keyOf(numbered ? { objectKey, fullId, number } : { objectKey, externalId }),
      id,
    ]),
  )
}
