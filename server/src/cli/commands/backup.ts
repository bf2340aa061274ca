import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type Json, onDatabase, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  command.argument('<to>', 'a directory that is not there yet, or a file whose name ends in .tar')
  withExample(withJson(command), 'lading backup /backups/before-the-upgrade.tar').action((to: string, options: Json) =>
    onDatabase(terminal, 'change', async ({ pool }) => {
      const { backUp } = await import('../../backup/schedule.ts')
      const made = await backUp(pool, resolve(to), terminal.settings().version)
      const text = `Saved ${made.rows} rows of ${made.tables} tables in ${made.path} (${Math.ceil(made.bytes / 2 ** 20)} MB), and read them back.`
      print(terminal, options, made, text)
    }),
  )
}
