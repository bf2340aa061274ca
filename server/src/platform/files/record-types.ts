import { kindScopes, scopeOf } from '../access/kind-scopes.ts'
import type { Scope } from '../access/scopes.ts'
import { snakeCase } from '../core/values/text.ts'

/** `byDirection`: it takes the scope of bills where its direction is out, and that of invoices where it is in. */
export type RecordType = { readonly table: string; readonly scope: Scope; readonly byDirection?: true }

/**
 * What documents can be attached to besides objects. Whoever adds a type adds a line here, and a foreign key for its column in `document_links`, which
 * ends the link with the record.
 */
export const recordTypes: Readonly<Record<string, RecordType>> = {
  bill: { table: 'bills', scope: 'bills' },
  invoice: { table: 'invoices', scope: 'invoices' },
  credit: { table: 'credits', scope: 'bills', byDirection: true },
  payment: { table: 'payments', scope: 'bills', byDirection: true },
  consolidated_bill: { table: 'consolidated_bills', scope: 'consolidated_bills' },
  carrier_invoice: { table: 'carrier_invoices', scope: 'bills' },
  // Without a foreign key: syncs are never deleted, so no link outlives one.
  connector_sync: { table: 'connector_syncs', scope: 'connectors_orgs' },
}

/** How the links of objects of every kind are kept. */
export const objectType = 'object'

/** Everything that a document may need: which of them is known when it is known what it is attached to. */
export const documentScopes: readonly Scope[] = [
  ...new Set<Scope>([...Object.values(recordTypes).map(({ scope }) => scope), 'invoices', ...kindScopes]),
]

/** What a document needs that is attached to nothing. */
export const scopeOfUnattached: Scope = 'bills'

export function scopeOfObject(objectKey: string): Scope {
  return scopeOf(objectKey)
}

/** Whether a caller may call objects of this kind so: by the name of their events, or as the v1 API calls them. */
export function isNameOf(objectKey: string, type: string): boolean {
  return type === objectType || type === snakeCase(objectKey) || (type === 'partner_carrier' && objectKey === 'partner')
}
