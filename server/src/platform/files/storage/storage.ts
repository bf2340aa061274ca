import type { Readable } from 'node:stream'
import type { FileLimits } from '../../../settings.ts'
import { type Refusal, unavailable } from '../../core/refusal.ts'

/** Whose content it is, and which: the hash of its bytes is its name. */
export type ContentKey = { org: string; sha256: string }

/** A part of a content, by the places of its first and its last byte. */
export type Span = { first: number; last: number }

/** Where the contents of documents are kept, each once for an organization. */
export type Storage = {
  /** As a person knows it: a directory, or the address of a bucket. */
  readonly name: string
  /** Whether the files are on this machine, so that a backup carries them. */
  readonly isLocal: boolean
  /** How much is kept in it. Not there where nothing is kept by it: for backups and checks. */
  readonly limits?: FileLimits
  /** Keeps the content of a file, whole or not at all; where it is there already, nothing is done. The file itself stays. */
  put(key: ContentKey, path: string, size: number): Promise<void>
  read(key: ContentKey, span?: Span): Promise<Readable>
  /** How many bytes are kept under the key; null where nothing is. */
  sizeOf(key: ContentKey): Promise<number | null>
  remove(key: ContentKey): Promise<void>
  /** Everything that is kept. */
  list(): AsyncIterable<ContentKey & { size: number }>
}

/** Spread over folders, because some file systems are slow with very many names in one. */
export function pathOf({ org, sha256 }: ContentKey): string {
  return `${org}/${sha256.slice(0, 2)}/${sha256}`
}

/** The key of a path below the root of a storage; null for a file that is none of ours. */
export function keyIn(path: string): ContentKey | null {
  const [, org, folder, sha256] = /^([0-9a-f-]{36})\/([0-9a-f]{2})\/([0-9a-f]{64})$/.exec(path) ?? []
  return org && sha256?.startsWith(folder as string) ? { org, sha256 } : null
}

/** The answer while a storage cannot be used. What is wrong with it is for the log alone. */
export function storageAway(cause: unknown): Refusal {
  return unavailable(
    'The storage of documents cannot be used at this moment. Try again; if it stays, the log of the server says why.',
    cause,
    5,
  )
}
