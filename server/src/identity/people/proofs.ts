import { createHash } from 'node:crypto'
import type { Database } from '../../platform/db/database.ts'
import { findPerson, type Owner } from './people-store.ts'

/** A person who signed in, and what they proved by it. Without `proof` it was a server of before this was noted. */
export type ProvenPerson = { person: string; proof: string | undefined }

/**
 * What signing in proves: that somebody knows the password which is current, since all access was last ended. Sessions, and sign-ins that are not finished
 * yet, carry it, so that they are worth nothing once the password is another, whenever they were written.
 */
export function proofOf({ password_hash, access_ends }: Owner): string {
  return createHash('sha256').update(`${access_ends} ${password_hash}`).digest('base64url')
}

export async function isStillProved({ pool }: Database, { person, proof }: ProvenPerson): Promise<boolean> {
  if (proof === undefined) return true
  const owner = await findPerson(pool, person)
  return owner !== undefined && proofOf(owner) === proof
}
