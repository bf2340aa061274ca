import { resolve } from 'node:path'
import type { Command } from 'commander'
import { keysWanted } from '../../../payables/upkeep/keys.ts'
import { type Json, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  command.argument('<from>', 'what lading backup has written')
  withExample(withJson(command), 'lading restore /backups/before-the-upgrade.tar').action(
    (from: string, options: Json) =>
      // The schema is made by the restore itself, as it was when the backup was made.
      terminal.withDatabase(terminal.settings(), async (database) => {
        const { pool } = database
        const { restoreBackup } = await import('../../../platform/backup/restore.ts')
        const { missingIn } = await import('../../../platform/backup/format.ts')
        const { listMissingKeys } = await import('../../../payables/upkeep/keys.ts')
        const { openVault } = await import('../../../platform/vault/vault.ts')
        const { openStorage } = await import('../../../platform/files/storage/open.ts')
        const { uploadFolder } = await import('../../../platform/files/contents/folders.ts')
        const settings = terminal.settings()
        const made = await restoreBackup(pool, resolve(from), openStorage(settings), uploadFolder(settings))
        const { documents } = made
        const files = documents?.copied && documents.files > 0 ? ` and the ${documents.files} files of documents` : ''
        const elsewhere =
          documents && !documents.copied && documents.files > 0
            ? ` The ${documents.files} files of documents were in ${documents.storage} and are not part of the backup: set DOCUMENTS_URL to it, and run lading doctor.`
            : ''
        const restored = `Restored ${made.rows} rows of ${made.tables} tables${files}, as they were at ${made.made_at}.${elsewhere}`
        const missing = documents ? missingIn(documents) : ''
        const keys = await listMissingKeys(database, openVault(settings))
        const copy =
          'Started as it is, it sends what was not sent yet. Start a copy that is only looked at with OUTBOUND=off.'
        print(
          terminal,
          options,
          { ...made, missing_keys: keys },
          [restored, missing, keysWanted(settings, keys), copy].filter(Boolean).join('\n'),
        )
      }),
  )
}
