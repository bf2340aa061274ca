import type { Context } from '../../../platform/context.ts'
import { isId } from '../../../platform/core/values/ids.ts'
import { fold } from '../../../records/index/text.ts'
import { type KnownCarrier, listCarriersByAnyName, listCarriersByEmail, listCarriersByScac } from './carriers-store.ts'

/** What is known of carriers by a name: none, one, or several, of which nobody can say which is meant. */
export type Carriers = (name: string | null) => readonly KnownCarrier[]

/** By addresses of theirs, or of contacts of theirs. */
export async function carriersByEmail(ctx: Context, emails: readonly string[]): Promise<Carriers> {
  return lookUp(emails, (wanted) => listCarriersByEmail(ctx, wanted))
}

/** By their SCAC, or an external id that is the SCAC. */
export async function carriersByScac(ctx: Context, scacs: readonly string[]): Promise<Carriers> {
  return lookUp(scacs, (wanted) => listCarriersByScac(ctx, wanted))
}

/** Finds them by id, external id, SCAC or name. */
export async function carriersByAnyName(ctx: Context, names: readonly string[]): Promise<Carriers> {
  return lookUp(names, (wanted) => listCarriersByAnyName(ctx, wanted, wanted.filter(isId)))
}

async function lookUp(
  names: readonly string[],
  list: (wanted: string[]) => Promise<KnownCarrier[]>,
): Promise<Carriers> {
  const wanted = [...new Set(names.map(keyOf))]
  const found = Map.groupBy(wanted.length > 0 ? await list(wanted) : [], ({ key }) => key)
  return (name) => (name === null ? [] : (found.get(keyOf(name)) ?? []))
}

function keyOf(name: string): string {
  return fold(name.trim())
}
