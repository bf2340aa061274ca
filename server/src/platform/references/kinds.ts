/** How the records of a kind can be named otherwise than by their id: by their external id, and by the number that people read. */
export type NamedKind = { table: string; prefix?: string } | { objectKey: string }

/** The kinds by what fields call them. Pay terms, tax rates, users and files have no names of this sort. */
export const namedKinds: Readonly<Record<string, NamedKind>> = {
  bill: { table: 'bills', prefix: 'BILL' },
  invoice: { table: 'invoices', prefix: 'INV' },
  credit: { table: 'credits', prefix: 'CR' },
  consolidated_bill: { table: 'consolidated_bills', prefix: 'STMT' },
  payment: { table: 'payments', prefix: 'PAY' },
  payment_run: { table: 'payment_runs', prefix: 'RUN' },
  carrier_invoice: { table: 'carrier_invoices' },
  payee: { table: 'payees' },
  bill_item_type: { table: 'bill_item_types' },
  customer: { objectKey: 'customer' },
  partner_carrier: { objectKey: 'partner' },
  order: { objectKey: 'order' },
  quote: { objectKey: 'quote' },
  manifest: { objectKey: 'manifest' },
  leg: { objectKey: 'leg' },
  equipment: { objectKey: 'equipment' },
  service: { objectKey: 'service' },
}

/** Fields whose name is not that of the kind that they refer to. */
const called: Readonly<Record<string, string>> = {
  master_trip: 'manifest',
  factor_payee: 'payee',
  refund_of: 'payment',
  partner: 'partner_carrier',
}

/** The kind that a field refers to: `bill` of `bill_id` and `bill_ids`, `manifest` of `in_manifest_ids`, and of `ids` what the path lists, exports or sums. */
export function kindOf(field: string, path: string): string | undefined {
  // What a carrier may name is decided by the portal itself.
  if (path.startsWith('/api/v1/portal/')) return undefined
  const name = field === 'ids' ? listed(path) : /^(?:in_)?(\w+)_ids?$/.exec(field)?.[1]
  const kind = name && (called[name] ?? name)
  return kind && Object.hasOwn(namedKinds, kind) ? kind : undefined
}

/** The kind of the records that documents and events call by this type: `partner` are carriers. */
export function kindOfType(type: string): string {
  return type === 'partner' ? 'partner_carrier' : type
}

/** How records of a kind are named; a kind that has no line above may be one of objects, also one that the organization defined. */
export function namedKind(kind: string): NamedKind {
  if (Object.hasOwn(namedKinds, kind)) return namedKinds[kind] as NamedKind
  return { objectKey: kind.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) }
}

function listed(path: string): string | undefined {
  const parts = path.split('/').map((part) => (part === 'equipment' ? part : part.replace(/s$/, '')))
  return parts.findLast((part) => Object.hasOwn(namedKinds, part))
}
