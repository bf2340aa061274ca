import { createHash, randomBytes } from 'node:crypto'
import { newIdWithin, organizationWithin } from '../../../platform/access/organization-ids.ts'

/** The secret part of a link: which organization it is of, so that it is looked for in that one alone, and 256 random bits. */
export function newSecret(org: string): string {
  return `${newIdWithin(org)}.${randomBytes(32).toString('base64url')}`
}

export function organizationOf(secret: string): string | null {
  return organizationWithin(secret.split('.')[0] ?? '')
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
