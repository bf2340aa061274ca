import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Made } from '../../backup/make.ts'
import { type Json, onDatabase, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  command.argument('<to>', 'a directory that is not there yet, or a file whose name ends in .tar')
  withExample(withJson(command), 'lading backup /backups/before-the-upgrade.tar').action((to: string, options: Json) =>
    onDatabase(terminal, 'change', async ({ pool }) => {
      const { backUp } = await import('../../backup/schedule.ts')
      const { openStorage } = await import('../../files/storage/open.ts')
      const settings = terminal.settings()
      const made = await backUp(pool, resolve(to), settings.version, openStorage(settings))
      const rows = `Saved ${made.rows} rows of ${made.tables} tables`
      const text = `${rows}${filesOf(made)} in ${made.path} (${Math.ceil(made.bytes / 2 ** 20)} MB), and read them back.${leftOut(made)}`
      print(terminal, options, made, text)
    }),
  )
}

function filesOf({ documents }: Made): string {
  return documents?.copied && documents.files > 0 ? ` and the ${documents.files} files of documents` : ''
}

/** A bucket has means of its own against loss, and may be much larger than the database. */
function leftOut({ documents }: Made): string {
  if (!documents || documents.copied) return ''
  return ` The ${documents.files} files of documents are not in it: they are in ${documents.storage}, and stay there.`
}
