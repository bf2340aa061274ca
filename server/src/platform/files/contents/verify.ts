import { createHash } from 'node:crypto'
import type { Pool } from '../../db/pool/connect.ts'
import type { ContentKey, Storage } from '../storage/storage.ts'
import { contentsOf } from './contents.ts'
import { listKnown } from './contents-store.ts'

/** How many are looked at together. */
const atOnce = 500

export type VerificationResult = { checked: number; faults: string[]; unknown: string[] }

/**
 * Holds the storage against the database: every content that a document has is there with its size (`deep`: and its hash). `unknown` are contents that
 * the database knows nothing of; an upload under way may be among them, and no harm is done by them.
 */
export async function verifyDocuments(
  pool: Pool,
  storage: Storage,
  { deep = false } = {},
): Promise<VerificationResult> {
  const result: VerificationResult = { checked: 0, faults: [], unknown: [] }
  for await (const one of contentsOf(pool.run)) {
    const fault = await faultOf(storage, one, deep)
    if (fault) result.faults.push(`${one.org}/${one.sha256} ${fault}.`)
    result.checked += 1
  }
  let batch: ContentKey[] = []
  const compare = async () => {
    const known = new Set((await listKnown(pool, batch)).map(nameOf))
    result.unknown.push(...batch.map(nameOf).filter((name) => !known.has(name)))
    batch = []
  }
  for await (const key of storage.list()) {
    batch.push(key)
    if (batch.length === atOnce) await compare()
  }
  if (batch.length > 0) await compare()
  return result
}

async function faultOf(
  storage: Storage,
  { size, ...key }: ContentKey & { size: number },
  deep: boolean,
): Promise<string | null> {
  const there = await storage.sizeOf(key)
  if (there === null) return 'is missing in the storage'
  if (there !== size) return `has ${there} bytes in the storage, and was sent with ${size}`
  if (!deep) return null
  const hash = createHash('sha256')
  for await (const chunk of await storage.read(key)) hash.update(chunk as Buffer)
  return hash.digest('hex') === key.sha256 ? null : 'has other content in the storage than was sent'
}

function nameOf({ org, sha256 }: ContentKey): string {
  return `${org}/${sha256}`
}
