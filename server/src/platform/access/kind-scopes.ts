import type { Scope } from './scopes.ts'

/** The scope that a token needs for the objects of each built-in kind. */
const scopes = {
  customer: 'customers',
  partner: 'partner_portal',
  order: 'orders',
  quote: 'orders',
  manifest: 'manifests',
  leg: 'legs',
  equipment: 'equipment',
  service: 'services',
  contact: 'customers',
} as const satisfies Record<string, Scope>

export type BuiltInKey = keyof typeof scopes
/** `services` is the scope of every kind that an organization defines itself. */
export type KindScope = (typeof scopes)[BuiltInKey]

export const kindScopes: readonly KindScope[] = [...new Set(Object.values(scopes))]

/** From the key alone, so that whoever lacks the scope learns nothing about which kinds there are. */
export function scopeOf(objectKey: string): KindScope {
  return Object.hasOwn(scopes, objectKey) ? scopes[objectKey as BuiltInKey] : 'services'
}
