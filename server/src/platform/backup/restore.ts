import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { StartError } from '../core/start-error.ts'
import { newId } from '../core/values/ids.ts'
import type { Pool } from '../db/pool/connect.ts'
import { migrateTo } from '../db/schema/migrate.ts'
import { baseline, knownMigrations } from '../db/schema/migrations.ts'
import { readAllOrganizations } from '../db/schema/organizations.ts'
import type { Storage } from '../files/storage/storage.ts'
import { carryOver, columnsBefore, isOfBefore } from './before.ts'
import { damaged, documentIn, type Manifest, type TableEntry } from './format.ts'
import { type MadeBackup, summaryOf } from './make.ts'
import { readEntries } from './places.ts'
import { analyze, copyIn, emptyTables, exemptOwner, isInUse, listTables, runOn, summarize } from './store.ts'
import { verifyBackup } from './verify.ts'

const decompress = promisify(zstdDecompress)

/** Into a database in which nobody has made anything yet. All of the backup is there afterwards, row for row, or nothing of it. */
export async function restoreBackup(pool: Pool, path: string, storage: Storage, folder: string): Promise<MadeBackup> {
  const manifest = await verifyBackup(path)
  const ofBefore = isOfBefore(manifest, path)
  if (!ofBefore) refuseUnknownMigrations(manifest, path)
  if (await isInUse(pool.run))
    throw new StartError(
      'This database is in use. A backup is restored into an empty one: set DATA_DIR or DATABASE_URL to it.',
    )
  await migrateTo(pool, ofBefore ? [baseline] : manifest.migrations.map(({ name }) => name))
  // Before the rows: a document whose content is missing cannot come about, and a content without a document does no harm.
  await restoreDocuments(path, storage, folder)
  const client = await pool.open()
  try {
    const run = runOn(client)
    await client.query('begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    await readAllOrganizations(run)
    const tables = await listTables(run)
    const missing = manifest.tables.find(
      ({ name, columns }) =>
        !tables.some((table) => table.name === name && columns.every((column) => table.columns.includes(column))),
    )
    if (missing) throw damaged(path, `the schema has no such table and columns as ${missing.name} has in it`)
    await emptyTables(run, tables)
    const forceAgain = await exemptOwner(run)
    await copyTables()
    await compare()
    if (ofBefore) await carryOver(run, path)
    await forceAgain()
    await client.query('commit')
    await analyze(run)
  } finally {
    await client.end()
  }
  return summaryOf(path, manifest)

  async function copyTables(): Promise<void> {
    const entries = readEntries(path)[Symbol.asyncIterator]()
    for (const table of manifest.tables)
      await pipeline(Readable.from(contentOf(table, entries, path)), copyIn(client, table))
  }

  async function compare(): Promise<void> {
    const run = runOn(client)
    for (const { rows, hash, ...table } of manifest.tables) {
      const restored = await summarize(run, table, ofBefore ? columnsBefore(table) : undefined)
      if (restored.rows !== rows || restored.hash !== hash)
        throw damaged(
          path,
          `the ${restored.rows} rows of ${table.name} that it gives are not the ${rows} that were saved`,
        )
    }
  }
}

async function restoreDocuments(path: string, storage: Storage, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, newId())
  try {
    for await (const entry of readEntries(path)) {
      const key = documentIn(entry.name)
      if (!key) continue
      const bytes = await entry.read()
      await writeFile(file, bytes, { mode: 0o600 })
      await storage.put(key, file, bytes.length)
      // A second name of these bytes is in the storage: the next ones are written to a file of their own.
      await rm(file)
    }
  } finally {
    await rm(file, { force: true })
  }
}

/** The parts of a table follow each other in the backup, in the order of its tables. */
async function* contentOf(
  { parts }: TableEntry,
  entries: AsyncIterator<{ name: string; read(): Promise<Buffer> }>,
  path: string,
): AsyncGenerator<Buffer> {
  for (const part of parts) {
    for (;;) {
      const { value: entry, done } = await entries.next()
      if (done) throw damaged(path, `${part.name} is not in its place`)
      if (entry.name !== part.name) continue
      yield await decompress(await entry.read())
      break
    }
  }
}

function refuseUnknownMigrations({ migrations, lading }: Manifest, path: string): void {
  const known = knownMigrations()
  for (const { name, checksum } of migrations) {
    if (known.get(name) === checksum) continue
    throw new StartError(
      known.has(name)
        ? `The backup ${path} was made with another text of the migration ${name}. Restore it with the version that made it, ${lading}.`
        : `The backup ${path} was made by a newer version, ${lading}, with the migration ${name}. Restore it with that version or a newer one.`,
    )
  }
}
