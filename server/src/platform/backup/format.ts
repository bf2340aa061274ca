import { createHash } from 'node:crypto'
import { StartError } from '../core/start-error.ts'

/**
 * A backup is a set of named entries, in a directory or in a tar file: the parts of each table, and at the end the manifest that says what there
 * must be. One that was cut short has no manifest, and is none.
 */
export type Manifest = {
  format: typeof format
  lading: string
  postgres: string
  made_at: string
  /** The migrations that the database had, with their checksums, in order. */
  migrations: { name: string; checksum: string }[]
  /** In an order in which every row comes after those that it refers to. */
  tables: TableEntry[]
  /** The contents of documents; not there in a backup of a version that had none. */
  documents?: DocumentsEntry
}

/**
 * How many contents of documents there are, and where they were. Those of a bucket are not in the backup: they stay where they are. `missing` are those that
 * could not be read when it was made: they are not in it, and not counted.
 */
export type DocumentsEntry = {
  storage: string
  copied: boolean
  files: number
  bytes: number
  missing?: MissingContent[]
}

export type MissingContent = { org: string; sha256: string; reason: string }

export type TableEntry = {
  name: string
  /** Without those that the database computes. */
  columns: string[]
  rows: number
  /** The sum of a hash of every row, whatever their order, computed columns included. */
  hash: string
  parts: Part[]
}

/** A piece of what COPY wrote, compressed. */
export type Part = { name: string; bytes: number; sha256: string }

export const format = 1
export const manifestName = 'manifest.json'

/** Numbered through all tables, so that the order of names is the order in which they are restored. */
export function partName(number: number, table: string): string {
  return `tables/${String(number).padStart(7, '0')}-${table}.copy.zst`
}

/** The entry of a content: the hash of its bytes is its name, so it needs no checksum besides. */
export function documentName({ org, sha256 }: { org: string; sha256: string }): string {
  return `documents/${org}/${sha256}`
}

/** The content that an entry holds; null for an entry of another sort. */
export function documentIn(name: string): { org: string; sha256: string } | null {
  const [, org, sha256] = /^documents\/([0-9a-f-]{36})\/([0-9a-f]{64})$/.exec(name) ?? []
  return org && sha256 ? { org, sha256 } : null
}

/** A sentence about files that a backup was made without; empty where it has all. */
export function missingIn({ missing = [], storage }: DocumentsEntry): string {
  if (missing.length === 0) return ''
  const named = missing.slice(0, mostNamed).map(({ org, sha256, reason }) => `${org}/${sha256} (${reason})`)
  const more = missing.length > mostNamed ? `, and ${missing.length - mostNamed} more` : ''
  return `${missing.length} files of documents could not be read in ${storage} and are not in the backup: ${named.join(', ')}${more}.`
}

const mostNamed = 20

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function readManifest(text: string, from: string): Manifest {
  let manifest: Partial<Manifest> | null
  try {
    manifest = JSON.parse(text) as Partial<Manifest> | null
  } catch {
    throw damaged(from, `${manifestName} is not JSON`)
  }
  if (typeof manifest?.format !== 'number') throw damaged(from, `${manifestName} does not say which format it has`)
  if (manifest.format !== format)
    throw new StartError(
      `The backup ${from} has the format ${manifest.format}; this version of Lading reads ${format}. Restore it with the version that made it.`,
    )
  if (!Array.isArray(manifest.tables) || !Array.isArray(manifest.migrations))
    throw damaged(from, `${manifestName} does not list the tables and migrations`)
  return manifest as Manifest
}

export function damaged(from: string, what: string): StartError {
  return new StartError(`The backup ${from} is damaged: ${what}. Nothing was restored from it.`)
}
