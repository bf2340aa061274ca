import type { Command } from 'commander'
import { bringUpToDate, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'

export function define(command: Command, terminal: Terminal): void {
  withExample(withJson(command), 'lading migrate').action((options) =>
    terminal.withDatabase(terminal.settings(), async (database) => {
      const applied = await bringUpToDate(database)
      print(terminal, options, { applied }, applied.length === 0 ? 'The schema is current.' : `Applied ${applied.join(', ')}.`)
    }),
  )
}
