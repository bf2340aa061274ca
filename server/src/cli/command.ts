import type { Command } from 'commander'
import type { Database } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { reindexObjects } from '../objects/upkeep/reindexing.ts'
import { readSettings } from '../settings.ts'
import { withDatabase } from './database.ts'

export function withJson(command: Command): Command {
  return command.option('--json', 'answer in JSON')
}

export function print({ json }: { json?: boolean }, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`)
}

export function onDatabase(work: (database: Database) => Promise<void>, migrated = true): Promise<void> {
  return withDatabase(readSettings(), async (database) => {
    if (migrated) {
      await migrate(database.pool)
      await reindexObjects(database)
    }
    await work(database)
  })
}
