import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { MadeBackup } from '../../../platform/backup/make.ts'
import type { Settings } from '../../../settings.ts'
import { type Json, onDatabase, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  command.argument('<to>', 'a directory that is not there yet, or a file whose name ends in .tar')
  withExample(withJson(command), 'lading backup /backups/before-the-upgrade.tar').action((to: string, options: Json) =>
    onDatabase(terminal, 'change', async (database) => {
      const { pool } = database
      const { backUp } = await import('../../../platform/backup/schedule.ts')
      const { missingIn } = await import('../../../platform/backup/format.ts')
      const { listSealingKeys } = await import('../../../payables/upkeep/keys.ts')
      const { openStorage } = await import('../../../platform/files/storage/open.ts')
      const settings = terminal.settings()
      const made = await backUp(pool, resolve(to), settings.version, openStorage(settings))
      const rows = `Saved ${made.rows} rows of ${made.tables} tables`
      const saved = `${rows}${filesOf(made)} in ${made.path} (${Math.ceil(made.bytes / 2 ** 20)} MB), and read them back.${leftOut(made)}`
      const missing = made.documents ? missingIn(made.documents) : ''
      const keys = keysApart(settings, await listSealingKeys(database))
      print(terminal, options, { ...made, keys: keys.ids }, [saved, missing, keys.text].filter(Boolean).join('\n'))
      if (missing !== '') terminal.exitCode = 1
    }),
  )
}

function filesOf({ documents }: MadeBackup): string {
  return documents?.copied && documents.files > 0 ? ` and the ${documents.files} files of documents` : ''
}

/** Whoever has a backup is not to read bank details, so their keys are kept apart from it; whoever has lost them cannot read them either. */
function keysApart({ bankDetailsKeys, dataDir }: Settings, ids: string[]): { ids: string[]; text: string } {
  if (ids.length === 0) return { ids, text: '' }
  const place =
    bankDetailsKeys.length > 0 ? 'the value of BANK_DETAILS_KEYS' : `the file ${join(dataDir, 'bank-details.keys')}`
  const text = `Bank details and secrets of connections are in it encrypted; the keys (${ids.join(', ')}) are not. Save ${place} apart from it: without it they cannot be read after a restore.`
  return { ids, text }
}

/** A bucket has means of its own against loss, and may be much larger than the database. */
function leftOut({ documents }: MadeBackup): string {
  if (!documents || documents.copied) return ''
  return ` The ${documents.files} files of documents are not in it: they are in ${documents.storage}, and stay there.`
}
