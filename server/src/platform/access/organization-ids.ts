import { randomBytes } from 'node:crypto'

/**
 * Client ids and grant ids carry their organization: whoever presents one can be looked up inside that organization alone, under its row-level
 * security, and no index has to span them all.
 */
export function newIdWithin(org: string): string {
  return `${prefixOf(org)}${randomBytes(12).toString('base64url')}`
}

/** How all ids within an organization begin. */
export function prefixOf(org: string): string {
  return Buffer.from(org.replaceAll('-', ''), 'hex').toString('base64url')
}

export function organizationWithin(id: string): string | null {
  if (!/^[\w-]{38}$/.test(id)) return null
  const hex = Buffer.from(id.slice(0, 22), 'base64url').toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
