import type { Command } from 'commander'
import { recountBooks } from '../../../books/recount.ts'
import { recountObjects } from '../../../records/upkeep/verify.ts'
import { onDatabase, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  withExample(withJson(command), 'lading recount').action((options) =>
    onDatabase(terminal, 'change', async (database) => {
      const organizations = await recountBooks(database)
      await recountObjects(database)
      print(terminal, options, { organizations }, `Counted the records of ${organizations} organizations.`)
    }),
  )
}
