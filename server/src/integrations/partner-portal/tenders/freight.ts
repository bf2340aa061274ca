import { freightOf, type Load } from '../../../freight/loads/model.ts'
import { manifestResource } from '../../../records/v1/resources.ts'
import type { Tender } from './model.ts'

/** A tender as the store reads it, with what tells the freight of its manifest. */
export type OfferedTender = {
  tender: Tender
  named: { full_id: string; reference_number: string | null }
  load: Load | null
}

export function withFreight({ tender, named, load }: OfferedTender): Tender & { manifest: object | null } {
  if (!load) return { ...tender, manifest: null }
  const { start, end, ...freight } = freightOf(load)
  return { ...tender, manifest: { ...named, start: inV1(start), end: inV1(end), ...freight } }
}

function inV1(address: unknown): unknown {
  return manifestResource.byName.get('start')?.show(address) ?? null
}
