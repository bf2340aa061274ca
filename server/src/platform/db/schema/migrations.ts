import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

export type Migration = { name: string; text: string; checksum: string }
/** `before`: the migration that came with the first code that can do without what is taken away. Code that does not know it cannot serve any more. */
export type Contraction = { before: string; reason: string }

/** The schema of the first release, from the files of server/schema. An empty database gets it as its first migration, under this name. */
export const baseline = '0000_baseline'

/** Those of this version, in their order. Read once: the files of a newer version may take their place under a process that runs. */
export const migrations: readonly Migration[] = [
  migrationOf(
    baseline,
    readFolder('schema')
      .map(({ text }) => text)
      .join('\n'),
  ),
  ...readFolder('migrations').map(({ name, text }) => migrationOf(name, text)),
]

/** The checksums of the migrations of this version, by name. */
export function knownMigrations(): Map<string, string> {
  return new Map(migrations.map(({ name, checksum }) => [name, checksum]))
}

/** What a migration declares that takes away what older code needs: `-- contracts for code before 0041_new_numbers.sql: the reason`. */
export function contractionOf(text: string): Contraction | null {
  const [, before, reason] = /^-- contracts for code before (\S+\.sql): (\S.*)$/m.exec(text) ?? []
  return before && reason ? { before, reason } : null
}

function migrationOf(name: string, text: string): Migration {
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
}

function readFolder(name: 'schema' | 'migrations'): { name: string; text: string }[] {
  const folder = new URL(`../../../../${name}/`, import.meta.url)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ name: file, text: readFileSync(new URL(file, folder), 'utf8') }))
}
