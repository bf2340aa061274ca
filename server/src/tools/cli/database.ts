import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../../platform/core/start-error.ts'
import { type Database, openDatabase } from '../../platform/db/database.ts'
import { whyUnusable } from '../../platform/db/pool/away.ts'
import { connect } from '../../platform/db/pool/connect.ts'
import { findRunning, startEmbedded } from '../../platform/db/postgres/embedded.ts'
import type { Settings } from '../../settings.ts'

const quiet = { info() {}, warn() {}, error: (message: string) => process.stderr.write(`lading: ${message}\n`) }

/** Runs a command on the database of the settings: one elsewhere, the one of a running Lading, or the embedded one for as long as it takes. */
export async function withDatabase<T>(
  { databaseUrl, dataDir }: Settings,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const running = databaseUrl ?? (await findRunning(dataDir))
  const own = running ? null : await startEmbedded(dataDir, quiet)
  const database = openDatabase(
    connect(running ?? (own as NonNullable<typeof own>).address, { max: 2, name: 'lading command' }),
  )
  try {
    return await work(database)
  } catch (error) {
    const why = whyUnusable(error)
    throw why ? new StartError(why) : error
  } finally {
    await database.close()
    await own?.stop()
  }
}

/** What to say where a command would have to make the database that it is to work on; null where there is one. */
export function missingDatabase({ databaseUrl, dataDir }: Settings): string | null {
  if (databaseUrl || existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return null
  return `There is no database in ${dataDir} yet; lading start makes one. If it is elsewhere, say where with DATA_DIR or DATABASE_URL.`
}
