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
      const { openStorage } = await import('../../files/storage/open.ts')
      const { uploadFolder } = await import('../../files/folders.ts')
      const settings = terminal.settings()
      const made = await restoreBackup(pool, resolve(from), openStorage(settings), uploadFolder(settings))
      const { documents } = made
      const files = documents?.copied && documents.files > 0 ? ` and the ${documents.files} files of documents` : ''
      const elsewhere =
        documents && !documents.copied && documents.files > 0
          ? ` The ${documents.files} files of documents were in ${documents.storage} and are not part of the backup: set DOCUMENTS_URL to it, and run lading doctor.`
          : ''
      print(terminal, options, made, `Restored ${made.rows} rows of ${made.tables} tables${files}, as they were at ${made.made_at}.${elsewhere}`)
    }),
  )
}
