import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type Json, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  command.argument('<from>', 'what lading backup has written')
  withExample(withJson(command), 'lading restore /backups/before-the-upgrade.tar').action((from: string, options: Json) =>
    // The schema is made by the restore itself, as it was when the backup was made.
    terminal.withDatabase(terminal.settings(), async ({ pool }) => {
      const { restoreBackup } = await import('../../backup/restore.ts')
      const made = await restoreBackup(pool, resolve(from))
      print(terminal, options, made, `Restored ${made.rows} rows of ${made.tables} tables, as they were at ${made.made_at}.`)
    }),
  )
}
