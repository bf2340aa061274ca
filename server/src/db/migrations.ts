import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

export type Migration = { name: string; text: string; checksum: string }
/** `before`: the migration that came with the first code that can do without what is taken away. Code that does not know it cannot serve any more. */
export type Contraction = { before: string; reason: string }

const folder = new URL('../../migrations/', import.meta.url)

/** Those of this version, in their order. Read once: the files of a newer version may take their place under a process that runs. */
export const migrations: readonly Migration[] = readMigrations()

/** The checksums of the migrations of this version, by name. */
export function knownMigrations(): Map<string, string> {
  return new Map(migrations.map(({ name, checksum }) => [name, checksum]))
}

/** What a migration declares that takes away what older code needs: `-- contracts for code before 0031_oldest_code.sql: the reason`. */
export function contractionOf(text: string): Contraction | null {
  const [, before, reason] = /^-- contracts for code before (\S+\.sql): (\S.*)$/m.exec(text) ?? []
  return before && reason ? { before, reason } : null
}

function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    })
}
